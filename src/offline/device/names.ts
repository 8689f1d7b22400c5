/** Names on the device. Two databases on purpose: cache trouble can never touch unsent answers. */
export const RECORD_DB = 'jk-outbox'
export const RECORD_VERSION = 4
export const cacheDb = (owner: string): string => `jk-cache:${owner}`
/** Libraries downloaded whole. */
export const apiCache = (owner: string): string => `api-v1:${owner}`
export const IMAGE_CACHE = 'img-v1'
/** Parts of the app that are not precached: those that were used. */
export const PART_CACHE = 'part-v1'
/** Documents that were opened: handouts, nobody's own, so all students of this device share them. */
export const DOCUMENT_CACHE = 'doc-v1'
/** What came of documents before the line broke, nobody's own as well. */
export const DOCUMENT_DB = 'jk-documents'
/** Downloaded libraries and their pictures: nobody's own, so all students of this device share them. */
export const PACK_DB = 'jk-packs'
export const PACK_IMAGES = 'pack-img-v1'
/** Downloaded lessons, of every student of this device; so are the lock and the channel of those that download them called. */
export const MEDIA_DB = 'jk-media'
/** Pictures of the questions that downloaded lessons ask: open to everybody, so all students of this device share them. */
export const LESSON_IMAGES = 'lesson-img-v1'
/** What is written only to see whether it can be, and deleted at once (room.ts); so is the lock called. */
export const ROOM_DB = 'jk-room'
/** This database is written only to begin a new log after a full disk (tornLog.ts), and deleted at once. */
export const LOG_DB = 'jk-log'
/** The cache whose entry lets the service worker write (workerWrites.ts). */
export const WORKER_WRITES = 'worker-writes-v1'
/** BroadcastChannel between this student's tabs and the worker. */
export const CHANNEL = 'jk-record'
export const SYNC_TAG = 'outbox'
/** In the cache: a question that is kept by itself; what follows is its number. */
export const KEPT = 'n-'
/** Of drafts that are drawings; what follows is the number of their question. */
export const PAD = 'pad:'
export const ANONYMOUS = 'anon'
/** A copy of how much waits, which may outlive the one in localStorage (evicted.ts). */
export const NOTED_CACHE = 'noted-v1'
