import type { Fault } from './fault.ts'

export const serverFaults: Fault[] = [
  {
    breaks: 'Of two sittings begun in one sync the second one is ranked.',
    file: 'server/study/store.ts',
    from: `[...new Map(heard.toReversed().map((each) => [each.exam, each])).values()]`,
    to: `[...new Map(heard.map((each) => [each.exam, each])).values()]`,
    red: [
      'tests/server/examRanking.test.ts > takes the first of two sittings that were begun in one sync',
      'tests/server/examRanking.test.ts > takes the first of two sittings that a device brings whole in one sync',
      'tests/server/examRanking.test.ts > a sitting that came in one sync with the begin of an earlier one',
    ],
  },
  {
    breaks: 'Who leaves a paper that they have seen and sits it again is ranked, when both come in one sync.',
    file: 'server/study/examSitting.ts',
    from: `  return [...heard.values()]`,
    to: `  return [...heard.values()].toSorted((a, b) => Number(b.handed) - Number(a.handed))`,
    red: ['tests/server/examRanking.test.ts > a sitting that came in one sync with the begin of an earlier one'],
  },
  {
    breaks:
      'Of two sittings begun in one sync the one whose ops stand first in the call is ranked, not the one that was begun first.',
    file: 'server/study/ingest.ts',
    from: `[...batch.ops].sort((a, b) => a.seq - b.seq).map(read)`,
    to: `batch.ops.map(read)`,
    red: ['tests/server/examRanking.test.ts > takes the first of two sittings that were begun in one sync'],
  },
  {
    breaks: 'A device with a wrong clock places an answer in another era.',
    file: 'server/study/judge.ts',
    from: `  Math.max(now - Math.max(0, sentAt - op.clientAt), now - OLDEST_MS)`,
    to: `  Math.min(now - Math.max(0, sentAt - op.clientAt), now + OLDEST_MS)`,
    red: ['tests/server/study.test.ts > an answer that says it is older than any device can be'],
  },
  {
    breaks: 'A hand-in of a device whose clock is behind is refused when its answers come a moment later.',
    file: 'server/study/judge.ts',
    from: `now - row.effective_at < WAIT_FOR_TARGET_MS`,
    to: `now - row.client_at < WAIT_FOR_TARGET_MS`,
    red: ['tests/server/sitting.test.ts > of a device whose clock is a year behind is waited for like any other'],
  },
]
