import { describe, expect, test } from 'vitest'
import { documentUrl } from '#src/domain/app/documentUrl.ts'

const HERE = 'https://junkao.test'
const BUCKET = 'https://junkao-1250000000.cos.ap-guangzhou.myqcloud.com'
const sites = { origin: HERE, bucket: BUCKET }
const FILE = '/media/0123456789abcdef.pdf'

describe('documents', () => {
  test.each([
    ['a file of this site', FILE, FILE, '0123456789abcdef.pdf'],
    ['the same by its whole address: one document, one copy on the device', HERE + FILE, FILE, '0123456789abcdef.pdf'],
    ['a file of the bucket', `${BUCKET}/handouts/a.pdf`, `${BUCKET}/handouts/a.pdf`, 'a.pdf'],
    ['one with a Chinese name', `${BUCKET}/%E8%AE%B2%E4%B9%89.pdf`, `${BUCKET}/%E8%AE%B2%E4%B9%89.pdf`, '讲义.pdf'],
    [
      'one with a version in its name',
      `${BUCKET}/2026/v1.2_final-a~b.pdf`,
      `${BUCKET}/2026/v1.2_final-a~b.pdf`,
      'v1.2_final-a~b.pdf',
    ],
  ])('%s', (_, text, address, fileName) => {
    expect(documentUrl(text, sites)).toEqual({ open: true, address, fileName })
  })
})

describe('of this site or its bucket, but no document', () => {
  test.each([
    '/',
    '/media/',
    '/media',
    '/media/.pdf',
    '/index.html',
    '/sw.js',
    '/assets/app.pdf',
    '/pdf/%2Fmedia%2Fa.pdf',
    '/pcapi/user/getUserInfo',
    '/pcapi/login/loginByPassword?x=/media/a.pdf',
    '/pcapi/x.pdf',
    '/media/a.svg',
    '/media/a.pdf.html',
    '/media/a.pdf.svg',
    '/media/a.PDF',
    '/media/a.b.pdf',
    '/media/a.pdf/',
    '/media/a.pdf?as=html',
    '/media/a.pdf#page=2',
    '/media/a.pdf;a',
    '/media/../pcapi/a.pdf',
    '/media/./a.pdf',
    '/media/..%2fpcapi%2fa.pdf',
    '/media/%2e%2e/pcapi/a.pdf',
    '/media/%2E%2E%2Fa.pdf',
    '/media/%252e%252e%252fa.pdf',
    '/media//a.pdf',
    '/media/sub/a.pdf',
    '/media/a%00.pdf',
    '/media/a%2f.pdf',
    '/media/讲义.pdf',
    '/media/a b.pdf',
    '/media/a\n.pdf',
    '/media/a.pdf\n',
    '/media/a\u202Efdp.pdf',
    '/Media/a.pdf',
    `${HERE}/index.html`,
    `${HERE}/pcapi/a.pdf`,
    `${HERE}//evil.test/media/a.pdf`,
    `${HERE}/media/../a.pdf`,
    `${BUCKET}/`,
    `${BUCKET}/a.html`,
    `${BUCKET}/a.pdf?response-content-type=text/html`,
    `${BUCKET}/../a.pdf`,
    `${BUCKET}/x/../a.pdf`,
    `${BUCKET}/.hidden/a.pdf`,
    `${BUCKET}/%2e%2e/a.pdf`,
    `${BUCKET}/x%2fa.pdf`,
    `${BUCKET}/x%5ca.pdf`,
    `${BUCKET}/%25%32%65.pdf`,
    `${BUCKET}/%00.pdf`,
    `${BUCKET}/%E8%AE.pdf`,
    `${BUCKET}/%C0%AE%C0%AE/a.pdf`,
    `${BUCKET}//evil.test/a.pdf`,
    `${BUCKET}/a@evil.test/a.pdf`,
    `${BUCKET}/a.pdf `,
  ])('%j', (text) => expect(documentUrl(text, sites)).toEqual({ open: false, why: 'not-document' }))
})

describe('of somebody else', () => {
  test.each([
    '',
    ' ',
    'a.pdf',
    'media/a.pdf',
    './media/a.pdf',
    '../media/a.pdf',
    'javascript:alert(1)',
    'javascript:alert(1)//https://junkao.test/media/a.pdf',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:application/pdf;base64,JVBERi0=',
    'blob:https://junkao.test/0123.pdf',
    'file:///media/a.pdf',
    'filesystem:https://junkao.test/media/a.pdf',
    'view-source:https://junkao.test/media/a.pdf',
    'ftp://junkao.test/media/a.pdf',
    'http://junkao.test/media/a.pdf',
    'ws://junkao.test/media/a.pdf',
    'https:/media/a.pdf',
    'https:media/a.pdf',
    'https://',
    'https:///media/a.pdf',
    '//evil.test/media/a.pdf',
    '///evil.test/media/a.pdf',
    '/\\evil.test/media/a.pdf',
    '\\\\evil.test\\media\\a.pdf',
    '/media\\..\\a.pdf',
    '/media/\\evil.test/a.pdf',
    'https:\\\\junkao.test\\media\\a.pdf',
    'https://evil.test/media/a.pdf',
    'https://evil.test/https://junkao.test/media/a.pdf',
    'https://evil.test?https://junkao.test/media/a.pdf',
    'https://evil.test#https://junkao.test/media/a.pdf',
    'https://junkao.test@evil.test/media/a.pdf',
    'https://junkao.test:443@evil.test/media/a.pdf',
    'https://user:pass@junkao.test/media/a.pdf',
    'https://@junkao.test/media/a.pdf',
    'https://junkao.test.evil.test/media/a.pdf',
    'https://junkao.tested/media/a.pdf',
    'https://evil-junkao.test/media/a.pdf',
    'https://sub.junkao.test/media/a.pdf',
    'https://junkao.test./media/a.pdf',
    'https://junkao.test:8443/media/a.pdf',
    'https://junkao.test:/media/a.pdf',
    'https://junkao.test',
    'https://junkao.test%2fevil.test/media/a.pdf',
    'https://junkao.test\\@evil.test/media/a.pdf',
    'https://ｊｕｎｋａｏ.test/media/a.pdf',
    'https://junkao。test/media/a.pdf',
    'https://junkao\u0000.test/media/a.pdf',
    'https://127.0.0.1/media/a.pdf',
    'https://[::1]/media/a.pdf',
    'https://other-1250000000.cos.ap-guangzhou.myqcloud.com/a.pdf',
    'https://junkao-1250000000.cos.ap-guangzhou.myqcloud.com.evil.test/a.pdf',
    'https://junkao-1250000000.cos.ap-guangzhou.myqcloud.com@evil.test/a.pdf',
    'http://junkao-1250000000.cos.ap-guangzhou.myqcloud.com/a.pdf',
    `${HERE}/media/\\a.pdf`,
    `/media/${'a'.repeat(3000)}.pdf`,
  ])('%j', (text) => expect(documentUrl(text, sites)).toEqual({ open: false, why: 'foreign' }))

  test('without a bucket nothing but this site is ours', () => {
    const alone = { origin: HERE, bucket: '' }
    for (const text of [`${BUCKET}/a.pdf`, 'https:///a.pdf', 'https://a.pdf', 'https://x/a.pdf'])
      expect(documentUrl(text, alone)).toEqual({ open: false, why: 'foreign' })
    expect(documentUrl(FILE, alone)).toMatchObject({ open: true })
  })

  test('a site without https has only its paths, and a bucket without https is none', () => {
    const local = { origin: 'http://127.0.0.1:8787', bucket: 'http://bucket.test' }
    expect(documentUrl('http://127.0.0.1:8787/media/a.pdf', local)).toEqual({ open: false, why: 'foreign' })
    expect(documentUrl('http://bucket.test/a.pdf', local)).toEqual({ open: false, why: 'foreign' })
    expect(documentUrl('/media/a.pdf', local)).toMatchObject({ open: true })
  })
})

test('whatever is opened is read by the browser as exactly this address', () => {
  for (const text of [FILE, HERE + FILE, `${BUCKET}/handouts/%E8%AE%B2%E4%B9%89.pdf`]) {
    const verdict = documentUrl(text, sites)
    if (!verdict.open) throw new Error(`${text} is refused`)
    const read = new URL(verdict.address, HERE)
    expect([HERE, BUCKET]).toContain(read.origin)
    expect(read.href).toBe(verdict.address.startsWith('/') ? HERE + verdict.address : verdict.address)
  }
})
