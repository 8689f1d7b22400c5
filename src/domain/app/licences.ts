import type { Site } from '#src/contract/config.ts'

interface Licence {
  field: 'filingNo' | 'policeNo' | 'telecomNo' | 'publicationNo' | 'licenceNo'
  name: string
  /** Its number tells by itself what it is. */
  isPlain?: boolean
  /** An authority lets anybody look it up there. */
  link: (number: string) => string
}

/** An operator must show these to be looked up; pages show them in this order. */
export const LICENCES: readonly Licence[] = [
  { field: 'filingNo', name: 'ICP 备案', isPlain: true, link: () => 'https://beian.miit.gov.cn/' },
  {
    field: 'policeNo',
    name: '公安备案',
    isPlain: true,
    link: (number) => `https://beian.mps.gov.cn/#/query/webSearch?code=${number.replaceAll(/\D/g, '')}`,
  },
  { field: 'telecomNo', name: '增值电信业务经营许可证', link: () => 'https://tsm.miit.gov.cn/' },
  { field: 'publicationNo', name: '出版物经营许可证', link: () => 'https://www.nppa.gov.cn/' },
  { field: 'licenceNo', name: '营业执照', link: () => 'https://www.gsxt.gov.cn/' },
]

/** Those that the operator has set, with their numbers. */
export const licencesOf = (site: Site): (Licence & { number: string })[] =>
  LICENCES.flatMap((licence) => {
    const number = site[licence.field]
    return number ? [{ ...licence, number }] : []
  })
