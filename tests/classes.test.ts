import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const IMPORT = /^import (\w+) from '(\S+\.module\.css)'$/gm

/** Classes that a component takes of a style file which has none of that name: they look like nothing at all. */
function unknownIn(file: string): string[] {
  const source = read(file)
  return [...source.matchAll(IMPORT)].flatMap(([, name = '', from = '']) => {
    const styles = read(from.startsWith('#') ? from.slice(1) : path.join(path.dirname(file), from))
    const known = new Set([...styles.matchAll(/\.([a-z][\w-]*)/gi)].map(([, each]) => each))
    const used = [...source.matchAll(new RegExp(`(?<![/\\w])${name}\\.(\\w+)`, 'g'))].map(([, each = '']) => each)
    return used.filter((each) => !known.has(each)).map((each) => `${file}: ${name}.${each}`)
  })
}

/** Returns the classes that a file uses, as `SHEET CLASS`; `SHEET *` where it chooses one by its name at run time. */
function usedIn(file: string): string[] {
  const source = read(file)
  return [...source.matchAll(IMPORT)].flatMap(([, name = '', from = '']) => {
    const sheet = from.startsWith('#') ? from.slice(1) : path.join(path.dirname(file), from)
    const used = [...source.matchAll(new RegExp(`(?<![/\\w])${name}(?:\\.(\\w+)|\\[)`, 'g'))]
    return used.map(([, each = '*']) => `${sheet} ${each}`)
  })
}
/** They are given by temml to a formula's parts. */
const TEMML = ['tml-left', 'tml-right']

test('every class of a style file is used by a component', () => {
  const used = new Set(globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).flatMap(usedIn))
  const unused = globSync('src/**/*.module.css', { cwd: ROOT })
    .filter((sheet) => !used.has(`${sheet} *`))
    .flatMap((sheet) => {
      const rules = read(sheet).replaceAll(/\/\*[^]*?\*\/|url\([^)]*\)/g, '')
      const known = new Set([...rules.matchAll(/\.([a-z][\w-]*)/gi)].map(([, each = '']) => each))
      return [...known]
        .filter((each) => !used.has(`${sheet} ${each}`) && !TEMML.includes(each))
        .map((each) => `${sheet} ${each}`)
    })
  expect(unused).toEqual([])
})

test('every class that a component names is in its style file', () => {
  const files = globSync('src/**/*.tsx', { cwd: ROOT })
  expect(files.length).toBeGreaterThan(100)
  expect(files.flatMap(unknownIn)).toEqual([])
})

/** A page's base, and what we do not write ourselves: text from the server, formulae of a browser without MathML. */
const BY_ELEMENT = ['src/app/theme.css', 'src/ui/text/RichText.module.css', 'src/ui/text/mathFallback.css']
/** Text that comes as HTML or is laid out by pdf.js. */
const FOREIGN: Record<string, string> = {
  'src/ui/text/Article.module.css': '.html ',
  'src/features/news/News.module.css': '.text ',
  'src/features/pdf/reader/Pdf.module.css': '.words ',
}

/** Selectors that name an element: what looks like that depends on a tag instead of saying what it is. */
function elementsIn(file: string): string[] {
  const rules = read(file).replaceAll(/\/\*[^]*?\*\//g, '')
  return (
    [...rules.matchAll(/([^{};]+)\{/g)]
      .flatMap(([, selectors = '']) => selectors.split(/,(?![^(]*\))/))
      .map((selector) => selector.trim())
      .filter((selector) => !/^(@|from$|to$|\d+%$|\()/.test(selector))
      // The page as a whole, while something lies over it.
      .filter((selector) => !selector.startsWith(':global(body') && !selector.startsWith(FOREIGN[file] ?? '@'))
      .filter((selector) => /[a-z]/i.test(selector.replaceAll(/\[[^\]]*\]|\.[\w-]+|::?[\w-]+/g, '')))
  )
}

test('no look hangs on an element: each has a class of its own or one of the shared ones', () => {
  expect(elementsIn('src/ui/text/RichText.module.css').length).toBeGreaterThan(5)
  const sheets = globSync('src/**/*.css', { cwd: ROOT }).filter((file) => !BY_ELEMENT.includes(file))
  expect(sheets.flatMap((file) => elementsIn(file).map((selector) => `${file}: ${selector}`))).toEqual([])
})
