import { useEffect, useState } from 'react'
import type { Envelope } from '#src/contract/endpoint.ts'
import { type Article, type Category, news, type NewsDetail } from '#src/contract/news.ts'
import { byNewest, searchedText, wordsOf } from '#src/domain/app/news.ts'
import { apiCache } from '#src/offline/device/names.ts'
import { session } from '#src/session/session.ts'

/** The news that this device holds with their texts: the latest that were fetched ahead, and whatever was opened. */
export interface Here {
  /** The newest first. */
  articles: Article[]
  categories: Category[]
  /** When the youngest of it was fetched, epoch ms; null when that is not known. */
  at: number | null
}
const NOTHING: Here = { articles: [], categories: [], at: null }

/** Reads what the worker keeps for this student, region and direction. */
export async function readHere(): Promise<Here> {
  const name = apiCache(session.owner())
  if (typeof caches === 'undefined' || !(await caches.has(name))) return NOTHING
  const cache = await caches.open(name)
  const scope = session.scope()
  const mine = (await cache.keys()).filter(({ url }) => {
    const { searchParams } = new URL(url)
    return searchParams.get('sg_key') === scope.sg_key && searchParams.get('area') === scope.area
  })
  const articles = new Map<string, Article>()
  const here = { ...NOTHING }
  for (const request of mine) {
    const path = new URL(request.url).pathname
    const isLatest = path === `/pcapi/${news.latest.path}`
    if (!isLatest && path !== `/pcapi/${news.detail.path}`) continue
    const answer = await cache.match(request)
    if (!answer) continue
    // The worker keeps only answers that our server filtered by the contract.
    const { data } = (await answer.json()) as Envelope
    if (isLatest) {
      const { items, categories } = data as { items: Article[]; categories: Category[] }
      for (const each of items) articles.set(each.id, each)
      here.categories = categories
    } else articles.set((data as NewsDetail).id, data as NewsDetail)
    const fetched = Date.parse(answer.headers.get('date') ?? '')
    if (Number.isFinite(fetched)) here.at = Math.max(here.at ?? 0, fetched)
  }
  return { ...here, articles: [...articles.values()].sort(byNewest) }
}

/** Null until it is read, and while it is not wanted. */
export function useHere(wanted: boolean): Here | null {
  const [here, setHere] = useState<Here | null>(null)
  useEffect(() => {
    if (!wanted) return
    let current = true
    void readHere()
      // A device whose storage cannot be read holds nothing.
      .catch(() => NOTHING)
      .then((read) => current && setHere(read))
    return () => {
      current = false
    }
  }, [wanted])
  return wanted ? here : null
}

/** Those of a category in which every word is found. */
export function found({ articles }: Here, category: string | undefined, q: string): Article[] {
  const words = wordsOf(q)
  return articles.filter((article) => {
    if (category && article.category !== category) return false
    const text = words.length > 0 ? searchedText(article) : ''
    return words.every((word) => text.includes(word))
  })
}
