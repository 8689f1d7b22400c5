import type { Site } from '#src/contract/config.ts'
import type { Contract } from '#src/contract/index.ts'
import type { Handlers } from '#server/http/handlers.ts'

export const configHandlers = (site: Site): Handlers<Contract['config']> => ({ getSite: () => site })
