import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { attribute, childrenOf, inside, localName, type Parts } from '../office/parts.ts'
import { endingOf, isHuge } from '#server/content/media/pictureSize.ts'
import { type Element, textIn } from '../xml.ts'
import type { Held } from './placeholders.ts'

export interface Pictures {
  parts: Parts
  /** The part of a picture by the id that the text has for it. */
  targets: ReadonlyMap<string, string>
  take: (name: string, bytes: Uint8Array) => void
}
export interface Drawn {
  held: Held[]
  /** It lies over the text, so that where it stands in the text says nothing. */
  floats: boolean
}

/** The unit of drawings: so many to a pixel. */
const EMU = 9525
const PT = 96 / 72

const TURNED = '图片在 Word 里裁剪、旋转或翻转过，导入的是原图，请核对'
const problem = (reason: string): Held => ({ kind: 'problem', reason })
const note = (reason: string): Held => ({ kind: 'note', reason })

/** Pictures, shapes and objects of a run. */
export function drawn(element: Element, pictures: Pictures): Drawn {
  const name = localName(element)
  if (name === 'object') return { held: [objectOf(element)], floats: false }
  const floats = inside(element, 'anchor') !== undefined || isFloating(element)
  const size = sizeOf(element)
  return { held: name === 'drawing' ? modern(element, pictures, size) : old(element, pictures), floats }
}

interface Size {
  width: number
  height: number
}
function sizeOf(element: Element): Size | undefined {
  const extent = inside(element, 'extent')
  const [width, height] = ['cx', 'cy'].map((name) => Math.round(Number(extent && attribute(extent, name)) / EMU))
  return width && height ? { width, height } : undefined
}

/** The pictures of a group are known, not how they lie over each other. */
function modern(element: Element, pictures: Pictures, size: Size | undefined): Held[] {
  const data = inside(element, 'graphicData')
  const content = data ? childrenOf(data) : []
  const [only] = content
  if (only && localName(only) === 'pic') return [...pictureOf(only, pictures, size)]
  const words = textOf(element)
  if (words !== '') return [textBox(words)]
  const kind = content.map(localName).join()
  if (kind === 'chart') return [problem('图表读不出：请在 Word 里复制图表，“选择性粘贴”为图片（PNG）')]
  if (kind === 'relIds') return [problem('SmartArt 读不出：请在 Word 里把它另存为图片后插入')]
  if (isLine(element)) return [note('有一条画出来的线，没有导入')]
  return [problem('画出来的图形（形状、组合、画布）读不出：请在 Word 里选中它，剪切后“选择性粘贴”为图片（PNG）')]
}

const textBox = (words: string): Held =>
  problem(`文本框里的文字“${words.slice(0, 20)}”读不出属于哪里：请把它移到正文里`)
const textOf = (element: Element): string => {
  const content = inside(element, 'txbxContent')
  return content ? textIn(content).trim() : ''
}
const isLine = (element: Element): boolean =>
  ['line', 'straightConnector1'].includes(attribute(inside(element, 'prstGeom') ?? element, 'prst') ?? '') &&
  inside(element, 'wgp') === undefined &&
  inside(element, 'wpc') === undefined

function pictureOf(pic: Element, pictures: Pictures, size: Size | undefined): Held[] {
  const blip = inside(pic, 'blip')
  const id = blip && attribute(blip, 'embed')
  if (id === undefined || id === '') return [problem('图片不在文件里，只是一个链接：请在 Word 里重新插入图片')]
  const crop = inside(pic, 'srcRect')
  const frame = inside(pic, 'xfrm')
  const isTurned =
    (crop && ['l', 't', 'r', 'b'].some((side) => Number(attribute(crop, side) ?? 0) !== 0)) ||
    (frame && ['rot', 'flipH', 'flipV'].some((each) => !['0', 'false', undefined].includes(attribute(frame, each))))
  return [held(id, pictures, size), ...(isTurned ? [note(TURNED)] : [])]
}

/** A picture by the hash of its bytes: the name that it has within the file changes with every saving. */
function held(id: string, { parts, targets, take }: Pictures, size: Size | undefined): Held {
  const bytes = parts.bytes(targets.get(id) ?? '')
  if (!bytes) return problem('图片在文件里找不到：请在 Word 里重新插入图片')
  const file = Buffer.from(bytes)
  const ending = endingOf(file)
  if (ending === null) {
    const [, kind = ''] = /\.(\w{1,5})$/.exec(targets.get(id) ?? '') ?? []
    return problem(
      `图片是 ${kind.toUpperCase() || '不认识的'} 格式，浏览器不能显示：请在 Word 里把它另存为 PNG 后重新插入（公式请改用“插入 → 公式”重写）`,
    )
  }
  if (isHuge(file)) return problem('图片太大，超过 4000 万像素：请缩小后重新插入')
  const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${ending}`
  take(name, bytes)
  const shown = size ? ` width="${size.width}" height="${size.height}"` : ''
  return { kind: 'picture', html: `<img src="${name}"${shown} alt="">` }
}

/** Drawings of the kind that programs wrote before 2007, and WPS still does. */
function old(element: Element, pictures: Pictures): Held[] {
  const words = textOf(element)
  if (words !== '') return [textBox(words)]
  const images = allInside(element, 'imagedata')
  const [image] = images
  if (image && images.length === 1) {
    const id = attribute(image, 'id') ?? attribute(image, 'pict') ?? ''
    const isCropped = ['cropleft', 'cropright', 'croptop', 'cropbottom'].some((name) => attribute(image, name))
    return [held(id, pictures, sizeOfStyle(element)), ...(isCropped ? [note(TURNED)] : [])]
  }
  if (images.length > 1) return [problem('组合在一起的图片读不出怎样叠放：请在 Word 里把组合另存为一张图片')]
  // A type of shape is a definition; a rule across the page is no content.
  const shapes = childrenOf(element).filter((each) => localName(each) !== 'shapetype')
  const isRule = shapes.every((each) => localName(each) === 'line' || attribute(each, 'hr') === 't')
  if (shapes.length === 0) return []
  if (isRule) return [note('有一条画出来的线，没有导入')]
  return [problem('画出来的图形（形状、组合、画布）读不出：请在 Word 里选中它，剪切后“选择性粘贴”为图片（PNG）')]
}

const allInside = (of: Element, name: string): Element[] =>
  childrenOf(of).flatMap((each) => (localName(each) === name ? [each] : allInside(each, name)))

const styleOf = (element: Element): string =>
  childrenOf(element)
    .map((each) => attribute(each, 'style') ?? '')
    .join(';')
const isFloating = (element: Element): boolean => /position:\s*absolute/.test(styleOf(element))
function sizeOfStyle(element: Element): Size | undefined {
  const of = (name: string) => {
    const [, value, unit] =
      new RegExp(String.raw`(?:^|;)\s*${name}:\s*([\d.]+)(pt|in|cm|mm|px)?`).exec(styleOf(element)) ?? []
    const scale = { pt: PT, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, px: 1 }[unit ?? 'px'] ?? 1
    return Math.round(Number(value) * scale)
  }
  const [width, height] = [of('width'), of('height')]
  return width && height ? { width, height } : undefined
}

function objectOf(element: Element): Held {
  const program = attribute(inside(element, 'OLEObject') ?? element, 'ProgID') ?? ''
  if (/^(?:Equation|MathType)/i.test(program))
    return problem(
      '旧式公式（MathType 或“公式 3.0”）读不出：请在 Word 里改成“插入 → 公式”，或在 MathType 里“转换公式”为 OMML',
    )
  return problem(`嵌入的对象${program ? `（${program.slice(0, 30)}）` : ''}读不出：请改成文字、表格或图片`)
}
