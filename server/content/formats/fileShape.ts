import * as v from 'valibot'
import type { Finding } from '#server/content/draft.ts'
import { faultOf, placeOf } from '#server/content/issueWords.ts'

/** What is known of a schema's structure without parsing. */
type Shape = v.GenericSchema & {
  entries?: Record<string, Shape>
  item?: Shape
  wrapped?: Shape
}

/**
 * What a file of the project's own JSON says. `said` is null when the file is none such; then the findings are its faults,
 * else a warning for each field that nothing here reads.
 */
export function readShape<S extends v.GenericSchema>(
  schema: S,
  file: string,
  json: unknown,
): { said: v.InferOutput<S> | null; findings: Finding[] } {
  const parsed = v.safeParse(schema, json)
  const finding = (level: Finding['level'], at: string, reason: string) => ({ file, level, at: at || '文件', reason })
  if (!parsed.success)
    return { said: null, findings: parsed.issues.map((each) => finding('fault', placeOf(each), faultOf(each))) }
  const unread = unreadFields(schema, json).map(({ at, reason }) => finding('warning', at, reason))
  return { said: parsed.output, findings: unread }
}

/** Fields that no reader knows: what they say is lost, most of them are slips of the keyboard. */
export function unreadFields(schema: Shape, json: unknown, at = ''): { at: string; reason: string }[] {
  const shape = schema.wrapped ?? schema
  if (shape.item && Array.isArray(json))
    return json.flatMap((each, i) => unreadFields(shape.item as Shape, each, `${at}[${i}]`))
  const { entries } = shape
  if (!entries || typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([name, value]) =>
    Object.hasOwn(entries, name)
      ? unreadFields(entries[name] as Shape, value, at === '' ? name : `${at}.${name}`)
      : [{ at, reason: unread(name) }],
  )
}

export const unread = (name: string): string => `字段“${name.slice(0, 40)}”不认识，没有读入`
