import { vi } from 'vitest'

/**
 * What jsdom lacks to work with pictures: a file whose text begins with "picture" is one, any other cannot be decoded. What is
 * drawn is counted, and a canvas becomes a JPEG by its first bytes.
 */
export function standInPictures(size = { width: 1600, height: 1000 }) {
  const drawn: number[][] = []
  const decode = async (file: Blob) => {
    if (!(await textOf(file)).startsWith('picture')) throw new DOMException('cannot decode', 'InvalidStateError')
    return { ...size, close: () => {} }
  }
  vi.stubGlobal('createImageBitmap', decode)
  const context = {
    fillStyle: '',
    imageSmoothingQuality: 'low',
    fillRect: () => {},
    drawImage: (_: unknown, ...at: number[]) => void drawn.push(at),
  }
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(
    () => context as unknown as ReturnType<HTMLCanvasElement['getContext']>,
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) => {
    const bytes = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, ...(drawn.at(-1) ?? []).map((n) => n % 251)])
    done(new Blob([bytes], { type: type ?? '' }))
  })
  return { drawn }
}

const textOf = (file: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.readAsText(file)
  })
