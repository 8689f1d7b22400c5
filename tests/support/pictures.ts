import { vi } from 'vitest'

/**
 * What jsdom lacks to work with pictures: a file whose text begins with "picture" is one, any other cannot be decoded. What is
 * drawn is counted, and a canvas becomes a JPEG by its first bytes.
 */
export function standInPictures(size = { width: 1600, height: 1000 }) {
  const drawn: number[][] = []
  const picked = new Map<string, Blob>()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    if (file instanceof Blob) picked.set('blob:picked', file)
    return 'blob:picked'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void picked.delete(address))
  class Loading extends EventTarget {
    naturalWidth = size.width
    naturalHeight = size.height
    set src(address: string) {
      const file = picked.get(address)
      void (file ? textOf(file) : Promise.resolve('')).then((text) =>
        this.dispatchEvent(new Event(text.startsWith('picture') ? 'load' : 'error')),
      )
    }
  }
  vi.stubGlobal('Image', Loading)
  const context: CanvasRenderingContext2D = Object.assign(Object.create(null), {
    fillStyle: '',
    imageSmoothingQuality: 'low',
    fillRect: () => {},
    drawImage: (_: unknown, ...at: number[]) => void drawn.push(at),
  })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) => {
    const bytes = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, ...(drawn.at(-1) ?? []).map((n) => n % 251)])
    done(new Blob([bytes], { type: type ?? '' }))
  })
  return { drawn, picked }
}

const textOf = (file: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.readAsText(file)
  })
