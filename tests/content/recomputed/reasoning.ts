import { at, only, orders, range, sum } from './numbers.ts'

const round = (x: number, digits = 6): number => Number(x.toFixed(digits))
/** Each way in which so many things can hold or not. */
const cases = (n: number): boolean[][] => range(2 ** n).map((bits) => range(n).map((i) => ((bits >> i) & 1) === 1))
/** Tells whether what is claimed holds in every case that the premises leave. */
const follows = (left: readonly boolean[][], claim: (each: boolean[]) => boolean): boolean =>
  left.length > 0 && left.every(claim)
const found = (n: number | undefined, unit: string): string => `${n ?? '?'}${unit}`

export const harderPolitics = {
  pol_0098: () => {
    const value = 60 / (1 + 0.5)
    return `${round(value / (1 - 0.2))}元`
  },
  pol_0099: () => {
    // A dollar that brings less means that the yuan is worth more.
    const more = round(100 * (7.0 - 7.2))
    const [worth, paid] = more < 0 ? ['升值', '少'] : ['贬值', '多']
    return `人民币${worth}，企业结汇比签约时${paid}收${Math.abs(more)}万元`
  },
}

export const harderMilitary = {
  mil_0086: () => `${round((3e8 * (1 / 1000)) / 2 / 1000)} km`,
  mil_0090: () => {
    const degrees = (2100 / 6000) * 360
    return [String(round(degrees)), String(round((degrees + 180) % 360))]
  },
  mil_0091: () => {
    const step = 0.01
    const last = (time: number, forward: boolean, place: number): number => {
      const head = 600 + 1.5 * time
      if (forward && place >= head) return last(time, false, place)
      if (!forward && place <= head - 600) return time
      const after = forward ? (head - place) / (4.5 - 1.5) : (place - (head - 600)) / (4.5 + 1.5)
      return last(time + Math.max(after, step), forward, place + (forward ? 4.5 : -4.5) * Math.max(after, step))
    }
    return `${Math.round(last(0, true, 0))}秒`
  },
  mil_0092: () => `${(62 - 3 + 180) % 360}°`,
}

/** 甲乙丙丁戊 by number: three of them go. */
const teams = cases(5).filter(
  (go) =>
    go.filter(Boolean).length === 3 && !(go[0] && go[1]) && (go[2] || go[3]) && (!go[4] || go[2]) && go[0] === true,
)

export const harderTigan = {
  tg_0155: () => {
    const stop = (speed: number): number => speed + speed ** 2 / 2 / 5
    return `${round(stop(72 / 3.6) / stop(36 / 3.6))}倍`
  },
  tg_0156: () => (16 - 3).toString(2),
  tg_0157: () => `${((4 * 3.6e7) / 3e8).toFixed(2)}秒`,
  tg_0158: () => {
    const children = ['A', 'a'].flatMap((one) => ['A', 'a'].map((other) => one + other)).filter((each) => each !== 'aa')
    const carriers = children.filter((each) => each.includes('a')).length
    return carriers / children.length === 2 / 3 ? '三分之二' : '?'
  },
  tg_0231: () => {
    const inflow = (6 * 10 - 8 * 6) / (10 - 6)
    const water = 6 * 10 - 10 * inflow
    return found(
      range(50).find((pumps) => pumps * 5 === water + 5 * inflow),
      '台',
    )
  },
  tg_0232: () => {
    const chances = [0.6, 0.5, 0.4]
    const chance = (hits: boolean[]): number =>
      hits.reduce((product, hit, i) => product * (hit ? at(chances, i) : 1 - at(chances, i)), 1)
    return sum(
      cases(3)
        .filter((hits) => hits.filter(Boolean).length >= 2)
        .map(chance),
    ).toFixed(2)
  },
  tg_0233: () => {
    const a = 3
    const [b, c] = [a + 4, a + 2]
    return `${Math.max(Math.max(b, c) + 3, c + 6)}天`
  },
  tg_0234: () =>
    only(['丙一定去', '丁一定去', '戊一定去', '丙、戊都去'], (text) =>
      follows(
        teams,
        (go) => (text === '丙、戊都去' ? go[2] && go[4] : go['甲乙丙丁戊'.indexOf(text[0] ?? '')]) === true,
      ),
    ),
  tg_0235: () => {
    // Passed, takes part, has the certificate.
    const left = cases(3).filter(([passed, takes, has]) => (!takes || passed) && (!takes || has) && !has)
    const claims: [string, (each: boolean[]) => boolean][] = [
      ['小李没有参加集训', ([, takes]) => !takes],
      ['小李没有通过考核', ([passed]) => !passed],
      ['小李通过了考核', ([passed]) => passed === true],
      ['小李参加了集训', ([, takes]) => takes === true],
    ]
    return claims.flatMap(([text, claim]) => (follows(left, claim) ? [text] : [])).join()
  },
}

const shares = (left: number, groups: number, most: number): boolean =>
  groups === 0 ? left === 0 : range(most).some((i) => left >= i + 1 && shares(left - i - 1, groups - 1, i))
const growth = (part: number, whole: number): number => (240 / 1500 - 240 / part / (1500 / whole)) * 100

export const harderWenzhi = {
  wzg_0242: () => {
    const after = (salt: number): number => salt - (salt / 200) * 50
    return `${round((after(after(200 * 0.2)) / 200) * 100)}%`
  },
  wzg_0243: () => {
    // 甲 has walked three times as far at the second meeting as at the first.
    const fits = (way: number): boolean => 3 * 60 === way + 40
    return found(
      range(300).find((way) => fits(way)),
      '千米',
    )
  },
  wzg_0244: () => `${round((0.6 * 1.4 + 0.4 * 1.4 * 0.8 - 1) * 100)}%`,
  wzg_0245: () => {
    const rows = orders('甲乙丙丁戊'.split(''))
    return `${rows.filter((row) => Math.abs(row.indexOf('甲') - row.indexOf('乙')) === 2).length}种`
  },
  wzg_0246: () => {
    const one = 50 + 45 + 40 - 2 * 25 - 3 * 8
    return `${100 - one - 25 - 8}人`
  },
  wzg_0247: () => {
    const days = '日一二三四五六'
    const count = (first: number, day: number): number => range(31).filter((i) => (first + i) % 7 === day).length
    return only(
      days.split('').map((day) => `星期${day}`),
      (text) => {
        const first = days.indexOf(text[2] ?? '')
        return count(first, 1) === 4 && count(first, 5) === 4
      },
    )
  },
  wzg_0248: () =>
    found(
      range(22).find((most) => shares(21, 5, most)),
      '册',
    ),
  wzg_0249: () => {
    const finish = (time: number, left: number, turn: number): number => {
      const rate = turn % 2 === 0 ? 1 / 8 : 1 / 12
      return left <= rate + 1e-12 ? time + left / rate : finish(time + 1, left - rate, turn + 1)
    }
    return `${round(finish(0, 1, 0))}小时`
  },
  wzg_0250: () => String(range(6).reduce((term, i) => term + (i + 1) ** 2, 2)),
  wzg_0251: () => String(range(5).reduce((term) => 3 * term - 4, 3)),
  wzg_0252: () => {
    // It rains, they shoot, they throw, the doctor is there.
    const left = cases(4).filter(
      ([rain, shoot, grenade, doctor]) => (rain || shoot) && (!(shoot || grenade) || doctor) && !doctor,
    )
    const told = left.map(
      ([rain, , grenade]) =>
        `今天${rain ? '' : '没有'}下雨，并且${grenade ? '' : '没有'}进行${grenade ? '了' : ''}投弹训练`,
    )
    return [...new Set(told)].join()
  },
  wzg_0253: () => {
    const left = cases(4).filter((pass) => {
      const said = [!pass.some(Boolean), !pass[1], !pass[3], pass.some(Boolean)]
      return said.filter(Boolean).length === 1
    })
    return range(4)
      .filter((i) => follows(left, (pass) => pass[i] === true))
      .map((i) => '甲乙丙丁'[i])
      .join('和')
  },
  wzg_0257: () => {
    const points = growth(1.2, 1.25)
    return `${points < 0 ? '下降' : '上升'}约${Math.abs(points).toFixed(1)}个百分点`
  },
  wzg_0258: () =>
    only(['2∶1', '1∶2', '3∶2', '5∶2'], (text) => {
      const [men = 0, women = 0] = text.split('∶').map(Number)
      return Math.abs(1.1 * men + 1.25 * women - 1.15 * (men + women)) < 1e-9
    }),
  wzg_0259: () => `${round((1.32 / 1.1 - 1) * 100)}%`,
  wzg_0260: () => `${round((30 / (600 * 0.08)) * 100)}%`,
  wzg_0265: () => {
    const change = round((0.9 * 1.2 - 1) * 100)
    return `${change > 0 ? '增加' : '减少'}${Math.abs(change)}%`
  },
  wzg_0266: () => {
    const [[a1, b1], [a2, b2]] = [
      [6, 3],
      [4, 1],
    ] as const
    // Whoever gives up less of A for one B makes it.
    const cost = a1 / b1 - a2 / b2
    return cost < 0 ? '甲生产B，乙生产A' : '甲生产A，乙生产B'
  },
  wzg_0267: () => `${100 + (150 - 100) + (260 - 150)}万元`,
  wzg_0268: () => {
    const hour = 8 - (8 + 5)
    return `9月${hour < 0 ? 9 : 10}日${(hour + 24) % 24}时`
  },
} satisfies Record<string, () => string | string[]>
