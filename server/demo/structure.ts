import { areas } from '#server/structural/areas.ts'
import type { Structure } from '#server/structural/store.ts'

export const structure: Structure = {
  areas,
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
