import type * as v from 'valibot'
import type { InputSchema } from './endpoint.ts'

/**
 * Form encoding that both ends share. A string travels as it is; every other value travels as JSON text (`5`, `true`,
 * `["a"]`). The schema says which, so nothing is coerced: "false" never becomes true, "" never becomes 0.
 */
export function encodeForm(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const form: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) form[name] = typeof value === 'string' ? value : JSON.stringify(value)
  return form
}

/** Reads the schema's own fields and nothing else. A field that is not JSON stays text, so that the schema refuses it. */
export function decodeForm(schema: InputSchema, form: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.entries)) {
    const raw = Object.hasOwn(form, name) ? form[name] : undefined
    if (raw !== undefined) fields[name] = isText(field) ? raw : parsed(raw)
  }
  return fields
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}

interface SchemaShape {
  type: string
  wrapped?: SchemaShape
  literal?: unknown
  options?: readonly unknown[]
}

function isText(schema: v.GenericSchema | v.GenericSchemaAsync | SchemaShape): boolean {
  const shape: SchemaShape = schema
  if (shape.wrapped) return isText(shape.wrapped)
  if (shape.type === 'picklist') return shape.options?.every((option) => typeof option === 'string') ?? false
  return shape.type === 'string' || (shape.type === 'literal' && typeof shape.literal === 'string')
}
