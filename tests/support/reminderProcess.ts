import { openDatabase } from '#server/db/open.ts'
import { pushHere, remind } from './reminders.ts'

/** A server's process that reminds everybody whose time has come, until it is killed. */
const [socketFolder = '', database = '', now = ''] = process.argv.slice(2)
const db = await openDatabase({ socketFolder, database }, () => {})
await remind(db, await pushHere(db, 60_000), () => Number(now))
