import { globSync } from 'node:fs'
import path from 'node:path'
import type { Rolldown } from 'vite'

type Group = Exclude<NonNullable<Rolldown.OutputOptions['codeSplitting']>, boolean>['groups'] extends
  | (infer G)[]
  | undefined
  ? G
  : never

type Graph = Parameters<Exclude<Group['name'], string>>[1]

/** A folder as the bundler names its modules. */
const folder = (name: string): RegExp => new RegExp(`/src/${name}/`)
/** With all that it needs and the entry does not have. */
const closure = (name: string, of: string): Group => ({ name, test: folder(of) })

/** Layers of the product that screens share: what two of them need of a layer is one file. */
const LAYERS = ['ui', 'domain', 'contract', 'api', 'session'] as const
function layerOf(id: string): string | null {
  if (/\/icons-react\//.test(id)) return 'icons'
  // Fields that are typed into bring the kit along, and come with the first form.
  if (folder('ui/forms').test(id)) return null
  return LAYERS.find((layer) => folder(layer).test(id)) ?? null
}

/** All that a folder's modules import at once, and what that imports. */
function needsOf(name: string): (id: string, graph: Graph) => boolean {
  let needs: Set<string> | undefined
  const walk = (id: string, graph: Graph, found: Set<string>): Set<string> => {
    if (found.has(id)) return found
    found.add(id)
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) walk(next, graph, found)
    return found
  }
  return (id, graph) => {
    if (!needs) {
      needs = new Set()
      for (const file of globSync(`src/${name}/*.{ts,tsx}`)) walk(path.resolve(file), graph, needs)
    }
    return needs.has(id)
  }
}
const isPractised = needsOf('features/question/practice')

/**
 * Which modules make a file: what starts the app, what writes ops, what practises; and for all else its layer. What practice needs of the
 * layers is one file, so that other screens need not fetch practice itself. The rest is the bundler's
 * (docs/decisions/bundle-and-installing.md 0089).
 */
export const groups: Group[] = [
  { name: 'vendor', test: /rolldown\/runtime/ },
  { name: 'vendor', tags: ['$initial'], test: /node_modules/ },
  { name: 'app', tags: ['$initial'] },
  closure('record', 'offline/record/write'),
  {
    name: (id, graph) =>
      (layerOf(id) !== null || id.includes('/node_modules/')) && isPractised(id, graph) ? 'core' : null,
    includeDependenciesRecursively: false,
  },
  closure('player', 'features/question/practice'),
  { name: layerOf, minShareCount: 2, includeDependenciesRecursively: false },
]

/** Screens of arrival come with the entry: to fetch them would be one more wait on a slow network. */
const ARRIVALS = new Set(['/_shell', '/_shell/', '/_shell/question/library'])
export const splitBehavior = ({ routeId }: { routeId: string }): [] | undefined =>
  ARRIVALS.has(routeId) ? [] : undefined
