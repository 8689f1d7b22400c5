import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'

export interface Space {
  /** Bytes that the server may still write. */
  free: number
  /** Files that it may still make; infinite where the file system does not count them. */
  files: number
}
/** PostgreSQL needs a few files for each start, and SQLite and uploads theirs. */
const FEWEST_FILES = 200
const MEGABYTE = 1024 ** 2

/** What is left on the disk of a folder, which may not exist yet. */
export async function spaceOf(folder: string): Promise<Space> {
  let there = path.resolve(folder)
  while (!existsSync(there)) there = path.dirname(there)
  const { bavail, bsize, files, ffree } = await statfs(there)
  return { free: bavail * bsize, files: files > 0 ? ffree : Number.POSITIVE_INFINITY }
}

/** Why a start would fail for want of space, and what to do; null: there is enough. */
export async function lackOfSpace(folder: string, leastMegabytes: number): Promise<string | null> {
  const space = await spaceOf(folder)
  if (space.files < FEWEST_FILES && leastMegabytes > 0)
    return `磁盘上的文件数已到上限：${path.resolve(folder)} 所在的磁盘还能新建 ${space.files} 个文件。${ADVICE}`
  return space.free < leastMegabytes * MEGABYTE ? fullDisk(folder, space, leastMegabytes) : null
}

const ADVICE =
  '可以删除旧日志、旧备份、下载的安装包和不用的容器镜像，或把整个数据目录移到更大的磁盘并设置 DATA_DIR；不要删除数据目录里的文件'

/** What an operator is told of a disk without space: how much to free, and what may go. */
export function fullDisk(folder: string, { free }: Pick<Space, 'free'>, leastMegabytes = 100): string {
  const missing = Math.max(leastMegabytes - Math.floor(free / MEGABYTE), 1)
  return `磁盘空间不足：${path.resolve(folder)} 所在的磁盘只剩 ${megabytes(free)}，请至少再腾出 ${megabytes(missing * MEGABYTE)}，然后重新启动。${ADVICE}`
}

/** Whether a program's own words say that the disk, or its share of it, is full. */
export const saysFull = (text: string): boolean => /No space left on device|Disk quota exceeded/.test(text)

export const megabytes = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${(bytes / 1024 ** 3).toFixed(1)} GB` : `${Math.ceil(bytes / MEGABYTE)} MB`
