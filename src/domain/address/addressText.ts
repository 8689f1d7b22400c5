import type { City, District, Province, RegionCodes } from './regions.ts'

/** What a pasted text says of an address; what it does not say is ''. */
export interface ReadAddress {
  name: string
  mobile: string
  region: Partial<RegionCodes>
  detail: string
}

/** Stands where the mobile was: a name is often beside it. */
const MOBILE_MARK = '\u0001'
/** Looks at what stands before it instead of behind it, which Safari cannot before 16.4. */
const MOBILE = /(^|\D)(?:\(?(?:\+|00)?86\)?[-\s]*)?(1[3-9]\d(?:[-\s]?\d){8})(?!\d)(?:[-转]\d{3,4}(?!\d))?/
const NAME_LABEL = /(?:收货人|收件人|联系人|姓名|名字)(?:姓名)?\s*:?\s*([^\s,;:]{1,20})/
const LABEL =
  /(?:收货人|收件人|联系人|姓名|名字|(?:手机|电话|联系电话)(?:号码|号)?|联系方式|(?:所在|收货|收件)?(?:地区|区域)|省市区|(?:详细|收货|收件|街道)?地址|邮编|邮政编码)\s*:\s*/g
const POSTCODE = /^\d{6}$/
/** Two to four characters, or a name of several parts; what a place has in its name a person rarely has. */
const PERSON = /^(?:\p{Script=Han}{2,4}|\p{Script=Han}{1,8}(?:·\p{Script=Han}{1,8})+|[A-Za-z]+(?: [A-Za-z]+)*)$/u
const PLACE_WORD = /[省市县区镇乡村路街道巷弄号栋楼室院校园厦苑组队]|大学|中学|小学|公司|单元|宿舍|小区/
/** After the number of a house, without a space. */
const TAIL_NAME = /^(.*(?:[号室楼层栋幢户座]|\d))(\p{Script=Han}{2,4})$/u

/**
 * Takes a text such as somebody sends it (`张三 13800001111 湖南省长沙市开福区德雅路109号`) apart, in whatever order and with
 * whatever labels. Reads only what it is sure of; the student sees the fields and mends them.
 */
export function readAddress(text: string, provinces: readonly Province[]): ReadAddress {
  const plain = text.normalize('NFKC').replace(/[\u200B\uFEFF]/g, '')
  const mobile = MOBILE.exec(plain)?.[2]?.replace(/\D/g, '') ?? ''
  const marked = plain.replace(MOBILE, `$1 ${MOBILE_MARK} `)
  const labelled = NAME_LABEL.exec(marked)?.[1] ?? ''
  const words = marked
    .replace(NAME_LABEL, ' ')
    .replace(LABEL, ' ')
    .split(/[\s,;、|。]+|\(收\)/)
    .filter((word) => word !== '' && word !== '收' && !POSTCODE.test(word))
  const found = findRegion(words.join(' '), provinces)
  const before = wordsOf(found.before)
  const after = wordsOf(found.after)
  const name = labelled === MOBILE_MARK || labelled === '' ? takeName(before, after) : labelled
  const detail = [...after, ...before].filter((word) => word !== MOBILE_MARK).join(' ')
  return { name, mobile, region: found.region, detail }
}

const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '' && word !== '中国')
const isPerson = (word: string | undefined): word is string =>
  word !== undefined && PERSON.test(word) && !PLACE_WORD.test(word)

/** Takes the name out of the words: the one beside the mobile, else the first before the region, else the last behind it. */
function takeName(before: string[], after: string[]): string {
  for (const words of [before, after]) {
    const at = words.indexOf(MOBILE_MARK)
    const beside = at < 0 ? undefined : [at - 1, at + 1].find((i) => isPerson(words[i]))
    if (beside !== undefined) return words.splice(beside, 1)[0] ?? ''
  }
  const first = before.findIndex(isPerson)
  if (first >= 0) return before.splice(first, 1)[0] ?? ''
  const last = after.map(isPerson).lastIndexOf(true)
  // What follows the region at once is where the parcel goes.
  if (last > 0) return after.splice(last, 1)[0] ?? ''
  for (const [i, word] of after.entries()) {
    const [, place, name] = TAIL_NAME.exec(word) ?? []
    if (place === undefined || !isPerson(name) || (after[i + 1] ?? MOBILE_MARK) !== MOBILE_MARK) continue
    after[i] = place
    return name
  }
  return ''
}

interface Found {
  region: Partial<RegionCodes>
  before: string
  after: string
}

/** The place in the text where the most of it is a region; the first of equals. */
function findRegion(text: string, provinces: readonly Province[]): Found {
  let best: Match = { region: {}, length: 0, weight: 0 }
  let at = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === ' ') continue
    // 山西城区 holds no 西城区.
    const isWithin = i < at + best.length
    const match = regionHere(text.slice(i), provinces, isWithin)
    if (match.weight > best.weight) [best, at] = [match, i]
  }
  if (best.weight === 0) return { region: {}, before: '', after: text }
  return { region: best.region, before: text.slice(0, at), after: text.slice(at + best.length) }
}

interface Match {
  region: Partial<RegionCodes>
  /** In the text, spaces too. */
  length: number
  /** Characters that name something. */
  weight: number
}
const NOTHING: Match = { region: {}, length: 0, weight: 0 }
const heavier = (a: Match, b: Match): Match => (b.weight > a.weight ? b : a)

/** The longest region that the text begins with. What is left out must be told by the rest. */
function regionHere(text: string, provinces: readonly Province[], isWithin: boolean): Match {
  let best = NOTHING
  for (const province of provinces) {
    const said = spoken(text, province.name, NOT_A_PROVINCE)
    if (said > 0) best = heavier(best, withinProvince(text, province, said))
    for (const city of province.cities) {
      const called = spoken(text, city.name, NOT_A_CITY)
      if (called > 0) best = heavier(best, withinCity(text, province, city, called, called))
    }
  }
  return isWithin ? best : heavier(best, districtAlone(text, provinces))
}

function withinProvince(text: string, province: Province, length: number): Match {
  const only = province.cities.length === 1 ? province.cities[0] : undefined
  let best: Match = { region: { province: province.code, ...(only && { city: only.code }) }, length, weight: length }
  const from = afterGap(text, length)
  for (const city of province.cities) {
    const called = spoken(text.slice(from), city.name, NOT_A_CITY)
    if (called > 0) best = heavier(best, withinCity(text, province, city, from + called, length + called))
  }
  // 浙江义乌, 北京海淀: the city between them is left out.
  const all = province.cities.flatMap((city) => city.districts.map((district) => ({ city, district })))
  const hits = heard(text.slice(from), all)
  const [hit] = hits.found
  if (hits.found.length !== 1 || !hit) return best
  const region = { province: province.code, city: hit.city.code, district: hit.district.code }
  return heavier(best, { region, length: from + hits.length, weight: length + hits.length })
}

function withinCity(text: string, province: Province, city: City, length: number, weight: number): Match {
  const region = { province: province.code, city: city.code }
  const from = afterGap(text, length)
  const hits = heard(
    text.slice(from),
    city.districts.map((district) => ({ city, district })),
  )
  const [hit] = hits.found
  if (hits.found.length !== 1 || !hit) return { region, length, weight }
  return {
    region: { ...region, district: hit.district.code },
    length: from + hits.length,
    weight: weight + hits.length,
  }
}

/** 昆山市 alone, if there is one of that name, written in full. */
function districtAlone(text: string, provinces: readonly Province[]): Match {
  const hits = provinces.flatMap((province) =>
    province.cities.flatMap((city) =>
      city.districts
        .filter(({ name }) => name.length > 2 && text.startsWith(name))
        .map((district) => ({ province, city, district })),
    ),
  )
  const [hit] = hits
  if (hits.length !== 1 || !hit) return NOTHING
  const { length } = hit.district.name
  return {
    region: { province: hit.province.code, city: hit.city.code, district: hit.district.code },
    length,
    weight: length,
  }
}

/** Those whose names the text begins with the most of. */
function heard<T extends { district: District }>(text: string, all: readonly T[]): { found: T[]; length: number } {
  let found: T[] = []
  let length = 0
  for (const each of all) {
    const said = spoken(text, each.district.name)
    if (said > length) [found, length] = [[each], said]
    else if (said > 0 && said === length) found.push(each)
  }
  return { found, length }
}

/** Behind spaces, and behind what stands for a level that has no name. */
const afterGap = (text: string, from: number): number => from + (GAP.exec(text.slice(from))?.[0].length ?? 0)
const GAP = /^ *(?:(?:市辖区|县|(?:省|自治区)直辖县(?:级行政区划)?) *)?/

const PEOPLES =
  '各族|壮族|回族|满族|苗族|维吾尔|土家族|彝族|蒙古族?|藏族|布依族|侗族|瑶族|朝鲜族|白族|哈尼族|哈萨克族?|黎族|傣族|畲族|傈僳族|仡佬族|东乡族|拉祜族|水族|佤族|纳西族|羌族|土族|仫佬族|锡伯|柯尔克孜|达斡尔族|景颇族|毛南族|撒拉族|布朗族|塔吉克|阿昌族|普米族|鄂温克族|怒族|京族|基诺族|德昂族|保安族|裕固族|独龙族'
const SUFFIX = new RegExp(
  `(?:(?:(?:${PEOPLES})+)?(?:自治区|自治州|自治县|自治旗)|省|市|地区|盟|新区|林区|矿区|特区|区|县|旗)$`,
)
/** The short name belongs to a street or a house: 中山路, 北京西路, 长沙大学. */
const NOT_A_REGION =
  /^(?:[东西南北中一二三四]{0,2}(?:大?道|路|街|巷|弄|桥|里|村|镇|乡)|大(?:厦|桥|学|酒店)|学[院校]|[中小]学|医院|广场|公园|机场|[东西南北]?站|花园|小区|新村|公馆)/

const shortNames = new Map<string, string>()
/** 湖南 of 湖南省, 恩施 of 恩施土家族苗族自治州; '' where one character would be left. */
function shortName(name: string): string {
  const known = shortNames.get(name)
  if (known !== undefined) return known
  const short = name.replace(SUFFIX, '')
  const kept = short.length > 1 && short !== name ? short : ''
  shortNames.set(name, kept)
  return kept
}

/** With such an ending a short name is another's: 海南州 is not 海南省, nor 朝阳区 the city of 朝阳市. */
const NOT_A_PROVINCE = /^[市州区县]/
const NOT_A_CITY = /^[区县旗]/

/** How many characters at the beginning of the text say this name, in full or short; 0: it says another. */
function spoken(text: string, name: string, another?: RegExp): number {
  if (text.startsWith(name)) return name.length
  const short = shortName(name)
  if (short === '' || !text.startsWith(short)) return 0
  const rest = text.slice(short.length)
  // 恩施州, 芷江县: of an autonomous one only its kind is said.
  if (name.includes('自治') && rest.startsWith(name.slice(-1))) return short.length + 1
  return NOT_A_REGION.test(rest) || another?.test(rest) ? 0 : short.length
}
