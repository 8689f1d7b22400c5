/** Word shows these as they are; all others are drawn anew. */
const SHOWN = /^image\/(?:png|jpeg|gif)$/
const WIDEST = 1600
/** A drawing that does not say how large it is. */
const UNSIZED = { width: 600, height: 400 }

/** Reads the pictures of a page, by their addresses. One that cannot be had is left out. */
export async function picturesOf(page: Document): Promise<Map<string, Uint8Array>> {
  const sources = new Set([...page.querySelectorAll('img')].map((each) => each.getAttribute('src') ?? ''))
  const read = [...sources].map(async (source) => [source, await pictureAt(source).catch(() => null)] as const)
  return new Map((await Promise.all(read)).flatMap(([source, bytes]) => (bytes ? [[source, bytes]] : [])))
}

async function pictureAt(source: string): Promise<Uint8Array> {
  const response = await fetch(source)
  if (!response.ok) throw new Error(`no picture at ${source}`)
  const file = await response.blob()
  const shown = SHOWN.test(file.type) ? file : await drawnAnew(file)
  return new Uint8Array(await shown.arrayBuffer())
}

async function drawnAnew(file: Blob): Promise<Blob> {
  const url = URL.createObjectURL(file)
  try {
    const picture = new Image()
    picture.src = url
    await picture.decode()
    const width = picture.naturalWidth || UNSIZED.width
    const height = picture.naturalHeight || UNSIZED.height
    const scale = Math.min(1, WIDEST / width)
    const canvas = document.createElement('canvas')
    canvas.width = width * scale
    canvas.height = height * scale
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png')
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}
