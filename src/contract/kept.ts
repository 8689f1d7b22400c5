import type { Endpoint } from './endpoint.ts'

/**
 * Paths, with `/pcapi/`, of the endpoints that the worker keeps. Built into the worker as a constant (vite.config.ts), so that
 * it need not carry the schemas.
 */
export const keptPaths = (api: Record<string, Record<string, Endpoint>>): string[] =>
  Object.values(api)
    .flatMap((group) => Object.values(group))
    .filter((endpoint) => endpoint.keep === 'worker')
    .map((endpoint) => `/pcapi/${endpoint.path}`)
