import type { Structure } from '#server/structural/store.ts'

/** Provincial units by the two-digit keys of GB/T 2260. 全国 (key '0') is added by the client. */
const AREAS =
  '11北京 12天津 13河北 14山西 15内蒙古 21辽宁 22吉林 23黑龙江 31上海 32江苏 33浙江 34安徽 35福建 36江西 37山东 41河南 42湖北 43湖南 44广东 45广西 46海南 50重庆 51四川 52贵州 53云南 54西藏 61陕西 62甘肃 63青海 64宁夏 65新疆'

export const structure: Structure = {
  areas: AREAS.split(' ').map((text) => ({ key: text.slice(0, 2), name: text.slice(2) })),
  categories: [
    {
      no: 'shibing',
      name: '士兵考学',
      directions: [
        { key: 'jg', name: '高中士兵考军官院校' },
        { key: 'js', name: '高中士兵考军士院校' },
        { key: 'zsb', name: '军士专升本' },
      ],
    },
    { no: 'tigan', name: '大学毕业生士兵提干', directions: [{ key: 'tg', name: '提干（预考＋统考）' }] },
    {
      no: 'wenzhi',
      name: '军队文职',
      directions: [
        { key: 'wz_gg', name: '公共科目' },
        { key: 'wz_gl', name: '管理学' },
        { key: 'wz_sx', name: '数学1' },
        { key: 'wz_jsj', name: '计算机类' },
      ],
    },
  ],
}
