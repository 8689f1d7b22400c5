import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { type Environment, readEnvironment } from '#server/environment.ts'
import { progressLine } from './progressLine.ts'
import { brokenPipe, explained, wrongUse } from './failures.ts'

/** A command ends with this code, and prints these lines. */
export interface CommandResult {
  code: number
  lines: string[]
}

/** Results and refusals are told as JSON, on the standard output. */
const asJson = process.argv.slice(2).includes('--json')
/** Long work tells how far it is; the line is gone before anything else is said. */
export const progress = progressLine(process.stderr)
const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
let help = ''

/**
 * What an operator asked for. Called first: from here on, whatever ends the command is said in one line where that is known.
 * For --help `usage` is all that is said, and a command that it does not name is none.
 */
export function readCommand<const Options extends ParseArgsOptionsConfig>(usage: string, options: Options) {
  help = usage
  process.on('uncaughtException', (error: unknown) => {
    // Whoever read the output has had enough of it.
    if (brokenPipe(error)) process.exit(0)
    refuse(explained(error) ?? `程序出错：${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  })
  const { values, positionals } = parsed({ ...COMMON, ...options })
  if ('help' in values && values.help) finish(0, help)
  const [command = '', ...words] = positionals
  if (usage.includes('<命令>') && linesOf(command).length === 0)
    misuse(command === '' ? '没有写命令' : `没有命令 ${command}`)
  return { values, command, words, asJson }
}

function parsed<const Options extends ParseArgsOptionsConfig>(options: Options) {
  try {
    return parseArgs({ allowPositionals: true, allowNegative: true, options })
  } catch (error) {
    return misuse(wrongUse(error))
  }
}

export function readSettings(): Environment {
  const env = readEnvironment(process.env)
  if ('faults' in env) return refuse(`环境变量有误：\n${env.faults.map((fault) => `  ✗ ${fault}`).join('\n')}`, 2)
  return env
}

/** Ends the command with its result. */
export function finish(code: number, told: string): never {
  progress.clear()
  if (told) (code === 0 || asJson ? console.log : console.error)(told)
  process.exit(code)
}

/** Ends the command: it did nothing, and why. */
export function refuse(reason: string, code: 1 | 2 = 1): never {
  return finish(code, refused(reason).lines.join('\n'))
}

/** A refusal that is told once the database is let go of. */
export const refused = (reason: string) => ({ code: 1, lines: [asJson ? JSON.stringify({ error: reason }) : reason] })

/** Ends the command: what is wrong with the use of it, and how it is used; all of that when `command` is none. */
export function misuse(reason: string, command = ''): never {
  const own = linesOf(command)
  const usage = own.length > 0 ? [help.split('\n')[0], ...own].join('\n') : help
  return refuse(asJson ? reason : `${reason}\n\n${usage}`, 2)
}

/** What the help says of one command; longer lines go on, further in. */
function linesOf(command: string): string[] {
  let isOwn = false
  return help.split('\n').filter((line) => {
    if (!line.startsWith('    ')) isOwn = command !== '' && line.startsWith(`  ${command} `)
    return isOwn
  })
}
