import { defineConfig } from 'vitest/config'

/** The tests that `npm run mutants` runs for each change: one project, for that is what Stryker's runner can tell apart. */
export default defineConfig({
  test: {
    include: process.env.MUTANT_TESTS?.split(',') ?? [],
    globalSetup: ['tests/support/database.ts'],
    // Watching which line runs makes the first run several times slower.
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
