const round = (x: number, d = 6): number => Number(x.toFixed(d))
const day = (s: string): number => Date.parse(s)
const inside = (events: readonly (readonly [string, string])[], from: string, to: string): string[] =>
  events.filter(([, d]) => day(d) >= day(from) && day(d) <= day(to)).map(([name]) => name)

export const politics = {
  pol_0018: () => {
    const events: [string, string][] = [
      ['①', '1935-01-15'], // 遵义会议
      ['②', '1929-12-28'], // 古田会议
      ['③', '1927-08-01'], // 南昌起义
      ['④', '1945-04-23'], // 中共七大
    ]
    return events
      .sort((a, b) => day(a[1]) - day(b[1]))
      .map(([mark]) => mark)
      .join('')
  },
  // the Long March of the Central Red Army: October 1934 to 19 October 1935 (吴起镇)
  pol_0019: () =>
    inside(
      [
        ['百团大战', '1940-08-20'],
        ['四渡赤水', '1935-01-29'],
        ['强渡大渡河', '1935-05-25'],
        ['飞夺泸定桥', '1935-05-29'],
      ],
      '1934-10-10',
      '1935-10-19',
    ),
  pol_0026: () => (day('1970-04-24') < day('1964-10-16') ? '对' : '错'),
  pol_0027: () =>
    inside(
      [
        ['中国人民志愿军赴朝作战', '1950-10-19'],
        ['我国第一颗原子弹爆炸成功', '1964-10-16'],
        ['颁布《中华人民共和国土地改革法》', '1950-06-30'],
        ['对农业、手工业和资本主义工商业的社会主义改造基本完成', '1956-12-31'],
      ],
      '1949-10-01',
      '1956-12-31',
    ),
  // the value is set by the socially necessary time, never by the enterprise's own
  pol_0050: () => {
    const yuanPerSocialHour = 40 / 4
    const price = (social: number, own: number): number => (own > 0 ? social * yuanPerSocialHour : NaN)
    return `${price(4, 2)}元`
  },
  pol_0056: () => `${round((1800 / 6000) * 100)}%`,
  pol_0059: () => `${round((4 * 50000) / 100 / 1000)}千米`,
  // four closed lines from 100 upwards by 20; Q on the first, P on the fourth
  pol_0061: () => {
    const lines = Array.from({ length: 4 }, (_, i) => 100 + 20 * i)
    return `${(lines[lines.length - 1] ?? NaN) - (lines[0] ?? NaN)}米`
  },
  pol_0062: () => `${(6000 * 90) / 360}密位`,
  pol_0076: () => `${round(80 / 5)}亿元`,
} satisfies Record<string, () => string | string[]>
