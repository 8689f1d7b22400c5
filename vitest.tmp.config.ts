export default { test: { globalSetup: ['tests/support/database.ts'], include: ['tests/**/*.test.ts'], testTimeout: 30000, hookTimeout: 30000 } }
