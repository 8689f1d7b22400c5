/** The record as every released version made it; a new version adds its own here, and changes none. */

/** Commit f562db5. */
export function recordOf1(db: IDBDatabase): void {
  const ops = db.createObjectStore('ops', { keyPath: ['owner', 'seq'] })
  ops.createIndex('opId', 'opId', { unique: true })
  ops.createIndex('stream', ['owner', 'stream', 'seq'])
  ops.createIndex('acked', ['owner', 'acked'])
  db.createObjectStore('dead', { keyPath: 'opId' }).createIndex('owner', 'owner')
  db.createObjectStore('receipts', { keyPath: 'opId' }).createIndex('at', 'at')
  db.createObjectStore('meta')
  db.createObjectStore('states', { keyPath: ['owner', 'questionNo'] })
  db.createObjectStore('counters', { keyPath: ['owner', 'chapterNo'] })
  db.createObjectStore('drafts', { keyPath: ['owner', 'key'] })
}

/** Commit 14b5054, reached from 1. */
export function recordOf2(db: IDBDatabase): void {
  recordOf1(db)
  for (const name of ['states', 'counters']) db.deleteObjectStore(name)
  const states = db.createObjectStore('states', { keyPath: ['owner', 'questionNo'] })
  for (const name of ['due', 'book', 'collected', 'noted']) states.createIndex(name, ['owner', name])
  db.createObjectStore('sums', { keyPath: ['owner', 'chapterNo'] })
  db.createObjectStore('things', { keyPath: ['owner', 'kind', 'id'] })
}

/** Commit 0525dfc. */
export function recordOf3(db: IDBDatabase, tx: IDBTransaction): void {
  recordOf2(db)
  tx.objectStore('states').createIndex('missed', ['owner', 'view.book.since'])
}

/** Version 4 kept all stores and indexes: its rows of sums are others. */
export const RECORD_VERSIONS = [recordOf1, recordOf2, recordOf3, recordOf3]

/** Downloaded lessons, commit 2d4f6cb. */
export function mediaOf1(db: IDBDatabase): void {
  db.createObjectStore('lessons', { keyPath: ['owner', 'lesson'] })
  db.createObjectStore('parts', { keyPath: ['owner', 'lesson', 'rev', 'file', 'n'] })
}

/** Commit 6a1eb5f4, reached from 1. */
export function mediaOf2(db: IDBDatabase): void {
  mediaOf1(db)
  db.createObjectStore('courses', { keyPath: ['owner', 'no'] })
}
export const MEDIA_VERSIONS = [mediaOf1, mediaOf2]

/** An answer that waits, as a version wrote it. */
export const waitingIn = (version: number, owner: string, seq: number, questionNo: string, clientAt: number) => ({
  owner,
  opId: `018f0000-0000-7000-8000-${String(seq).padStart(12, '0')}`,
  seq,
  stream: `q:${questionNo}`,
  kind: 'answer',
  v: 1,
  payload: {
    questionNo,
    response: { kind: 'choice', ids: ['B'] },
    spentMs: 1000,
    from: 'library',
    ...(version > 1 && { version: 1 }),
  },
  ctx: { sg_key: 'jg', area: '0', key: 'jg' },
  clientAt,
  ...(version === 1
    ? { chapterNo: 'L_c1', libraryNo: 'L' }
    : { place: { chapterNo: 'L_c1', libraryNo: 'L', type: 'single', points: [] } }),
  right: true,
  parked: false,
  acked: 0,
})
