import { SERVER_FAULT, wordsOf } from '#src/domain/app/failureWords.ts'
import type { TaskState, UploadFault } from './sending.ts'

export const STATE_WORDS: Record<TaskState, string> = {
  waiting: '等待上传',
  checking: '校验中',
  uploading: '上传中',
  paused: '已暂停',
  canceled: '已取消',
  error: '上传失败',
  success: '上传成功',
}

const FAULT_WORDS: Record<Exclude<UploadFault['kind'], 'told'>, string> = {
  offline: '当前没有网络，图片还在这里，联网后点“重试”。',
  expired: '上传凭证已过期，请点“重试”。',
  large: '图片超过 10 MB，请换一张小一些的。',
  type: '只支持 JPG、PNG、WebP 图片，请换一张。',
  full: '你的上传空间已满，无法再上传图片。',
  often: '今天上传的图片太多了，请明天再试。',
  server: SERVER_FAULT,
  failed: '图片没有上传成功，请点“重试”。',
}
/** Never the storage's own words, which are English. */
export const faultWords = (fault: UploadFault): string =>
  fault.kind === 'told' ? wordsOf(fault.error) : FAULT_WORDS[fault.kind]
