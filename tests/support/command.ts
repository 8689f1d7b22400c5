import { spawnSync } from 'node:child_process'
import { bareEnv } from './processEnv.ts'
import type { TestServer } from './server.ts'

/** A command of the operator runs on this server's database with this environment. */
export const commandEnv = (server: TestServer, more: Record<string, string> = {}) => ({
  ...bareEnv,
  DATABASE_URL: `postgres://postgres@localhost/${server.database}?host=${encodeURIComponent(server.socketFolder)}`,
  ...more,
})

/** Runs a command as an operator does, while the server runs. `told` is all that it printed. */
export function runCommand(
  server: TestServer,
  bin: string,
  args: readonly string[],
  more?: Record<string, string>,
): { status: number | null; told: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`server/bin/${bin}.ts`, ...args], {
    env: commandEnv(server, more),
    encoding: 'utf8',
  })
  return { status, told: stdout + stderr }
}
