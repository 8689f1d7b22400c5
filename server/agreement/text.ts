import path from 'node:path'
import type { AgreementKind } from '#src/contract/agreement.ts'
import { checkPage } from '#server/content/publish/pageFile.ts'
import { DATA_KINDS, type DataKind, DEVICE_KINDS } from './dataMap.ts'

/** A text before the lists of personal data stand in it. */
export interface Source {
  title: string
  html: string
}

/** The product's own, which an operator may take over, change or replace. */
export async function ownSource(kind: AgreementKind): Promise<Source> {
  const { page, findings } = await checkPage(path.join(import.meta.dirname, `${kind}.html`), 0)
  if (!page) throw new Error(findings.map(({ reason }) => reason).join('; '))
  return { title: page.title, html: page.html }
}

const item = (name: string, text: string): string => `<li>${name}：${text}</li>`
const block = (name: string, items: readonly string[]): string => `<h4>${name}</h4><ul>${items.join('')}</ul>`

const personal = ({ name, purpose, ground, keeps, receivers = [] }: DataKind): string =>
  block(name, [
    item('用途', purpose),
    item('依据', ground),
    item('保存多久', keeps),
    ...receivers.map((receiver) => item('交给', receiver)),
  ])

const LISTS: Readonly<Record<string, () => string>> = {
  个人信息清单: () => DATA_KINDS.map(personal).join(''),
  设备信息清单: () =>
    DEVICE_KINDS.map(({ name, purpose, keeps }) => block(name, [item('用途', purpose), item('保存多久', keeps)])).join(
      '',
    ),
}
const PLACE = /<p>\s*\{\{(\S+?)\}\}\s*<\/p>/g

/** Puts the lists in their places. The program writes them, so no text can leave out what is kept. */
export const withLists = (html: string): string => html.replaceAll(PLACE, (place, name) => LISTS[name]?.() ?? place)

/** Returns the names of lists that a text of this kind must have and has not. */
export function missingLists(kind: AgreementKind, html: string): string[] {
  const there = new Set([...html.matchAll(PLACE)].map(([, name]) => name))
  return kind === 'privacy' ? Object.keys(LISTS).filter((name) => !there.has(name)) : []
}

const BLOCK = /<h4>(.*?)<\/h4><ul>.*?<\/ul>/g
const blocksOf = (html: string): Map<string, string> =>
  new Map([...html.matchAll(BLOCK)].map(([whole, name = '']) => [name, whole]))

/** Says in a sentence what is other in the lists of two versions; where that is nothing, the text itself is. */
export function changesBetween(before: string, after: string): string {
  const [old, now] = [blocksOf(before), blocksOf(after)]
  const named = (word: string, names: readonly string[]) => (names.length > 0 ? [`${word}${names.join('、')}`] : [])
  const told = [
    ...named(
      '增加：',
      [...now.keys()].filter((name) => !old.has(name)),
    ),
    ...named(
      '不再有：',
      [...old.keys()].filter((name) => !now.has(name)),
    ),
    ...named(
      '说明有变化：',
      [...now.keys()].filter((name) => old.has(name) && old.get(name) !== now.get(name)),
    ),
  ]
  return told.length > 0 ? `信息清单${told.join('；')}` : '条款的文字有调整'
}
