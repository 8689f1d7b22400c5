const CN = 1000
const turn = (face: number, by: number): number => (((face + by) % 360) + 360) % 360
const names = new Map<number, string>([
  [0, '北'],
  [45, '东北'],
  [90, '东'],
  [135, '东南'],
  [180, '南'],
  [225, '西南'],
  [270, '西'],
  [315, '西北'],
])
const round = (x: number, d = 6): number => Number(x.toFixed(d))
const rad = (deg: number): number => (deg * Math.PI) / 180
type P = { e: number; n: number }
const walk = (p: P, azimuth: number, km: number): P => ({
  e: p.e + km * Math.sin(rad(azimuth)),
  n: p.n + km * Math.cos(rad(azimuth)),
})
const gap = (a: P, b: P): number => Math.hypot(b.e - a.e, b.n - a.n)
const bearing = (a: P, b: P): number => turn((Math.atan2(b.e - a.e, b.n - a.n) * 180) / Math.PI, 0)
// 1∶50000: kilometres on the ground for centimetres on the map
const km = (cm: number, scale = 50000): number => (cm * scale) / 100 / CN
const legs: readonly (readonly [number, number])[] = [
  [60, 3],
  [150, 4],
  [240, 3],
]
const points = (): P[] => {
  const out: P[] = [{ e: 0, n: 0 }]
  for (const [az, cm] of legs) out.push(walk(out[out.length - 1] ?? { e: 0, n: 0 }, az, km(cm)))
  return out
}
const at = (i: number): P => points()[i] ?? { e: NaN, n: NaN }
const days = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86400000
const one = (x: number): string => x.toFixed(1)

export const military = {
  // 向右转 +90, 向后转 +180, 半面向左转 -45, beginning from the north
  mil_0034: () => names.get([90, 180, -45].reduce(turn, 0)) ?? '?',
  mil_0040: () => `${round((3e8 * 200e-6) / 2 / CN)}千米`,
  mil_0062: () => {
    const began = Date.parse('1939-09-01')
    const ended = Date.parse('1945-09-02')
    const battles: [string, string, string][] = [
      ['马恩河战役', '1914-09-05', '1914-09-12'],
      ['阿拉曼战役', '1942-10-23', '1942-11-04'],
      ['库尔斯克会战', '1943-07-05', '1943-08-23'],
      ['日德兰海战', '1916-05-31', '1916-06-01'],
    ]
    return battles.filter(([, a, b]) => Date.parse(a) >= began && Date.parse(b) <= ended).map(([name]) => name)
  },
  // the air phase began on 17 January 1991, the ground offensive on 24 February
  mil_0063: () => {
    const air = days('1991-01-17', '1991-02-24')
    return air > 30 && air < 60 ? '对' : '错'
  },
  mil_0065: () => {
    const side = (scale: number): number => 1 / scale
    const times = round((side(25000) / side(50000)) ** 2)
    return `${times}倍`
  },
  // a westerly declination is negative: true = magnetic + declination
  mil_0066: () => `${turn(50, -4)}°`,
  mil_0067: () => `${round((30 * 1000) / 20)}米`,
  mil_0070: () => [String(turn(125, 180))],
  mil_0071: () => [String(round((km(12) / 4) * 60))],
  mil_0072_1: () => `${round(legs.reduce((s, [, cm]) => s + km(cm), 0))}千米`,
  mil_0072_2: () => `${round(bearing(at(2), at(1)))}°`,
  mil_0072_3: () => `${one(gap(at(0), at(2)))}千米`,
  mil_0072_4: () => `磁方位角${round(bearing(at(0), at(3)), 3)}°，距离${one(gap(at(0), at(3)))}千米`,
} satisfies Record<string, () => string | string[]>
