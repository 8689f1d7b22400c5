/**
 * Parts of the app that are not precached, by their addresses in parts.json (tools/lazyAssets.ts): `/assets/lesson-1a2b3c4.js`, or
 * `/assets/Bar-1a2b3c4.css#checkout,order` where the file's own name does not tell which parts it belongs to.
 */
const pathOf = (address: string): string => address.replace(/#.*/, '')

/** `lesson` of `/assets/lesson-1a2b3c4.js`; `pdf/x` of `/assets/pdf-6.5/x`. */
const nameOf = (path: string): string => path.replace(/^\/assets\/([^-/]+)-[^/]*/, '$1')

/** Maps a part's name in older versions, which a device may still run, to its names now. */
const RENAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['pdf', ['reader']],
  ['PdfReader', ['reader']],
  ['shop', ['store', 'vip', 'order', 'wallet', 'coupon', 'checkout']],
  ['seen', ['checkout']],
  ['install', ['guide']],
  ['exam_rank', ['rank']],
  ['QrCode', ['qrCode']],
  ['PortraitEditor', ['portraitEditor']],
])

/** Returns the paths of the new version's files that do what the given files of an older version did. */
export function successorsOf(old: readonly string[], addresses: readonly string[]): string[] {
  const names = old.map(nameOf)
  return partsNamed([...names, ...names.flatMap((name) => RENAMED.get(name) ?? [])], addresses)
}

/** Returns the paths of the files of the parts with these names. */
export function partsNamed(names: readonly string[], addresses: readonly string[]): string[] {
  const wanted = new Set(names)
  const belongs = (address: string): boolean => {
    const [path = '', others = ''] = address.split('#')
    return [nameOf(path), ...others.split(',')].some((name) => wanted.has(name))
  }
  return addresses.filter(belongs).map(pathOf)
}

/** Returns the paths of all files. */
export const partPaths = (addresses: readonly string[]): string[] => addresses.map(pathOf)
