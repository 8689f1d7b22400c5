import { defineConfig } from 'vitest/config'

const patience = Number(process.env.MUTANT_PATIENCE)

/** The tests that `npm run mutants` runs for each change: one project, for that is what Stryker's runner can tell apart. */
export default defineConfig({
  test: {
    include: process.env.MUTANT_TESTS?.split(',') ?? [],
    globalSetup: ['tests/support/database.ts'],
    testTimeout: patience,
    hookTimeout: 60_000,
    expect: { poll: { timeout: Math.min(15_000, patience / 2) } },
  },
})
