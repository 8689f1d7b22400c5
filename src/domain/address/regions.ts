/** Provinces, cities and districts by their six-digit codes (GB/T 2260): server and browser read them alike. */
export interface District {
  code: string
  name: string
}
export interface City extends District {
  /** None: a city without districts, such as 东莞. */
  districts: readonly District[]
}
export interface Province extends District {
  cities: readonly City[]
}

/** As the package of data gives them: names by code. */
interface Lists {
  province_list: Readonly<Record<string, string>>
  city_list: Readonly<Record<string, string>>
  county_list: Readonly<Record<string, string>>
}

/** Where we do not send to. */
const NOT_SERVED = /^(71|81|82)/
/** Cities that have no districts: what the package lists below them are townships, under codes of its own. */
const UNDIVIDED = /^(4419|4420|4604|6202)/
const CHONGQING = '5001'
/** The counties of Chongqing are listed beside its districts. */
const COUNTIES_OF_CHONGQING = '5002'
/** What a province governs without a city in between. */
const DIRECT = '90'
const DIRECT_NAME = '直辖县级行政区'
/** Abolished, and still in the package: 港闸区 and 长岛县. */
const GONE = ['320611', '370634']

/**
 * The package's lists as one text, a province after another: `43湖南省`, then a line for each city, `01长沙市 02芙蓉区 …`. A third
 * less to fetch than the lists themselves. Made at build for the browser (tools/regions.ts), and at start by the server.
 */
export function regionText({ province_list, city_list, county_list }: Lists): string {
  const cities = Object.entries(city_list).filter(([code]) => !code.startsWith(COUNTIES_OF_CHONGQING))
  const districts = districtsByCity(county_list)
  return Object.entries(province_list)
    .filter(([code]) => !NOT_SERVED.test(code))
    .map(([province, name]) => {
      const lines = cities
        .filter(([code]) => code.startsWith(province.slice(0, 2)))
        .map(([city, called]) => cityLine(city, called, districts))
      return [province.slice(0, 2) + name, ...lines].join('\n')
    })
    .join('\n\n')
}

/** Codes and names of districts by the first four digits of their city's code. */
function districtsByCity(counties: Lists['county_list']): ReadonlyMap<string, [string, string][]> {
  const cities = new Map<string, [string, string][]>()
  for (const entry of Object.entries(counties)) {
    const [code] = entry
    if (!isDistrict(code)) continue
    const city = code.startsWith(COUNTIES_OF_CHONGQING) ? CHONGQING : code.slice(0, 4)
    cities.set(city, [...(cities.get(city) ?? []), entry])
  }
  return cities
}

function cityLine(city: string, name: string, districts: ReturnType<typeof districtsByCity>): string {
  const at = city.slice(0, 4)
  const within = districts.get(at) ?? []
  const listed = within.map(([code, called]) => code.slice(code.startsWith(at) ? 4 : 2) + called)
  return [at.slice(2) + (at.endsWith(DIRECT) ? DIRECT_NAME : name), ...listed].join(' ')
}

/** From 90 on, the package has given numbers of its own to zones that stand in no list of the state's. */
const isDistrict = (code: string): boolean =>
  !UNDIVIDED.test(code) && !GONE.includes(code) && (code.slice(2, 4) === DIRECT || Number(code.slice(4)) < 90)

/** Reads `regionText`. A district of four digits is not numbered below its city. */
export function readRegions(text: string): Province[] {
  return text.split('\n\n').map((part) => {
    const [head = '', ...lines] = part.split('\n')
    const [province, name] = numbered(head)
    const cities = lines.map((line): City => {
      const [first = '', ...others] = line.split(' ')
      const [city, called] = numbered(first)
      const districts = others.map((each) => {
        const [digits, district] = numbered(each)
        return { code: (digits.length === 4 ? province : province + city) + digits, name: district }
      })
      return { code: `${province}${city}00`, name: called, districts }
    })
    return { code: `${province}0000`, name, cities }
  })
}

const numbered = (text: string): [digits: string, name: string] => {
  const digits = /^\d*/.exec(text)?.[0] ?? ''
  return [digits, text.slice(digits.length)]
}

export interface RegionCodes {
  province: string
  city: string
  district?: string | undefined
}
export interface Region {
  province: District
  city: District
  district: District | null
}

/** What the codes name; null unless all exist, belong together, and go down to the district where there are some. */
export function regionAt(provinces: readonly Province[], codes: RegionCodes): Region | null {
  const province = provinces.find(({ code }) => code === codes.province)
  const city = province?.cities.find(({ code }) => code === codes.city)
  const district = city?.districts.find(({ code }) => code === codes.district) ?? null
  if (!province || !city) return null
  if (district ? false : city.districts.length > 0 || codes.district !== undefined) return null
  return { province: named(province), city: named(city), district }
}
const named = ({ code, name }: District): District => ({ code, name })

/** As it is written on a parcel: what a municipality and its only city both say is said once. */
export const regionName = ({ province, city, district }: Region): string =>
  [...new Set([province.name, ...(city.code.slice(2, 4) === DIRECT ? [] : [city.name]), district?.name ?? ''])].join('')
