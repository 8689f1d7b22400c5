import { areas } from '#server/structural/areas.ts'
import type { Structure } from '#server/structural/store.ts'

/** They stand in the order of the papers. */
const MILITARY = ['chinese', 'math', 'english', 'politics', 'physics', 'chemistry', 'history', 'military']

export const structure: Structure = {
  areas,
  categories: [
    {
      no: 'shibing',
      name: '士兵考学',
      directions: [
        { key: 'jg', name: '高中士兵考军官院校', about: '高中士兵考军校，毕业当军官', subjects: MILITARY },
        { key: 'js', name: '高中士兵考军士院校', about: '高中士兵考军校，毕业当军士', subjects: MILITARY },
        { key: 'zsb', name: '军士专升本', about: '大专学历的军士升读本科', subjects: MILITARY },
      ],
    },
    {
      no: 'tigan',
      name: '大学毕业生士兵提干',
      directions: [
        {
          key: 'tg',
          name: '提干（预考＋统考）',
          about: '大学毕业的士兵选拔为军官',
          subjects: ['tigan', 'politics', 'military'],
        },
      ],
    },
    {
      no: 'wenzhi',
      name: '军队文职',
      directions: [
        { key: 'wz_gg', name: '公共科目', about: '报考文职都要考的一科', subjects: ['wz_public'] },
        { key: 'wz_gl', name: '管理学', about: '管理类岗位的专业科目', subjects: ['wz_public', 'wz_management'] },
        { key: 'wz_sx', name: '数学1', about: '考数学1的岗位的专业科目', subjects: ['wz_public', 'wz_math1', 'math'] },
        { key: 'wz_jsj', name: '计算机类', about: '计算机类岗位的专业科目', subjects: ['wz_public', 'wz_computer'] },
      ],
    },
  ],
}
