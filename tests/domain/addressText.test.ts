import { areaList } from '@vant/area-data'
import { expect, test } from 'vitest'
import { readAddress } from '#src/domain/address/addressText.ts'
import { readRegions, regionText } from '#src/domain/address/regions.ts'

const provinces = readRegions(regionText(areaList))
const KAIFU = { province: '430000', city: '430100', district: '430105' }
const HAIDIAN = { province: '110000', city: '110100', district: '110108' }
const NANSHAN = { province: '440000', city: '440300', district: '440305' }
const ME = { name: '张三', mobile: '13800001111' }

test.each([
  ['the plain order', '张三 13800001111 湖南省长沙市开福区德雅路109号', KAIFU, '德雅路109号', ME],
  ['the other way round', '湖南省长沙市开福区德雅路109号 张三 13800001111', KAIFU, '德雅路109号', ME],
  ['mobile first', '13800001111 张三 湖南省长沙市开福区德雅路109号', KAIFU, '德雅路109号', ME],
  ['nothing between them', '张三13800001111湖南省长沙市开福区德雅路109号', KAIFU, '德雅路109号', ME],
  ['the name behind the house', '湖南省长沙市开福区德雅路109号张三13800001111', KAIFU, '德雅路109号', ME],
  // It may be a name or a place: what is not certain stays in the detail, where the student sees it.
  [
    'words behind the house that more follows',
    '湖南省长沙市开福区德雅路109号李小四 楼下',
    KAIFU,
    '德雅路109号李小四 楼下',
    { name: '', mobile: '' },
  ],
  [
    'a place behind the house that its building follows',
    '湖南省长沙市开福区德雅路109号幸福里 3栋 13800001111',
    KAIFU,
    '德雅路109号幸福里 3栋',
    { ...ME, name: '' },
  ],
  [
    'the name behind the house, and more behind the mobile',
    '湖南省长沙市开福区德雅路109号李小四13800001111 楼下',
    KAIFU,
    '德雅路109号 楼下',
    { ...ME, name: '李小四' },
  ],
  ['the name before the province', '张三湖南省长沙市开福区德雅路109号13800001111', KAIFU, '德雅路109号', ME],
  [
    'spaces between the levels',
    '湖南省 长沙市 开福区 德雅路109号 3栋, 张三, 13800001111',
    KAIFU,
    '德雅路109号 3栋',
    ME,
  ],
  ['lines', '张三\n138-0000-1111\n湖南省长沙市开福区\n德雅路109号', KAIFU, '德雅路109号', ME],
  [
    'labels',
    '收件人：张三\n电话：138 0000 1111\n所在地区：湖南省长沙市开福区\n详细地址：德雅路109号',
    KAIFU,
    '德雅路109号',
    ME,
  ],
  [
    'labels on one line',
    '收货人:张三,手机号码:13800001111,收货地址:湖南省长沙市开福区德雅路109号,邮编:410003',
    KAIFU,
    '德雅路109号',
    ME,
  ],
  ['+86', '张三 +86 13800001111 湖南省长沙市开福区德雅路109号', KAIFU, '德雅路109号', ME],
  ['86- and dashes', '张三，86-138-0000-1111，湖南省长沙市开福区德雅路109号', KAIFU, '德雅路109号', ME],
  ['full-width digits', '张三　１３８００００１１１１　湖南省长沙市开福区德雅路１０９号', KAIFU, '德雅路109号', ME],
  ['a virtual number', '张三 13800001111转1234 湖南长沙开福区德雅路109号', KAIFU, '德雅路109号', ME],
  ['(收)', '湖南省长沙市开福区德雅路109号 张三（收） 13800001111', KAIFU, '德雅路109号', ME],
  ['short names', '张三 13800001111 广东深圳南山科苑路15号', NANSHAN, '科苑路15号', ME],
  ['short names and a space', '广东 深圳 南山 科技园 张三 13800001111', NANSHAN, '科技园', ME],
  ['no province', '张三 13800001111 深圳市南山区科苑路15号', NANSHAN, '科苑路15号', ME],
  ['a municipality', '北京市海淀区中关村大街1号 张三 13800001111', HAIDIAN, '中关村大街1号', ME],
  ['a municipality twice', '北京市北京市海淀区中关村大街1号 张三 13800001111', HAIDIAN, '中关村大街1号', ME],
  ['a municipality with 市辖区', '北京市市辖区海淀区中关村大街1号 张三 13800001111', HAIDIAN, '中关村大街1号', ME],
  ['a municipality, short', '北京海淀中关村大街1号 张三 13800001111', HAIDIAN, '中关村大街1号', ME],
  [
    'a new district',
    '上海浦东新区世纪大道100号 李小四 13800001111',
    { province: '310000', city: '310100', district: '310115' },
    '世纪大道100号',
    { ...ME, name: '李小四' },
  ],
  [
    'a county of Chongqing',
    '重庆市县城口县葛城街道1号 张三 13800001111',
    { province: '500000', city: '500100', district: '500229' },
    '葛城街道1号',
    ME,
  ],
  [
    'an autonomous region, short',
    '新疆乌鲁木齐天山区解放北路8号 阿依古丽·买买提 13800001111',
    { province: '650000', city: '650100', district: '650102' },
    '解放北路8号',
    { ...ME, name: '阿依古丽·买买提' },
  ],
  [
    'an autonomous region in full',
    '广西壮族自治区南宁市青秀区民族大道1号 张三 13800001111',
    { province: '450000', city: '450100', district: '450103' },
    '民族大道1号',
    ME,
  ],
  [
    'a city that its province governs',
    '湖北省仙桃市沔阳大道1号 张三 13800001111',
    { province: '420000', city: '429000', district: '429004' },
    '沔阳大道1号',
    ME,
  ],
  [
    'an autonomous prefecture, short',
    '湖北恩施恩施市施州大道1号 张三 13800001111',
    { province: '420000', city: '422800', district: '422801' },
    '施州大道1号',
    ME,
  ],
  [
    'a city below a city, which is left out',
    '浙江义乌稠州北路1号 张三 13800001111',
    { province: '330000', city: '330700', district: '330782' },
    '稠州北路1号',
    ME,
  ],
  [
    'a city below a city, alone',
    '昆山市前进西路1号 张三 13800001111',
    { province: '320000', city: '320500', district: '320583' },
    '前进西路1号',
    ME,
  ],
  [
    'a city without districts',
    '广东省东莞市长安镇莲峰路1号 张三 13800001111',
    { province: '440000', city: '441900' },
    '长安镇莲峰路1号',
    ME,
  ],
  [
    'a city of its province’s name',
    '吉林省吉林市船营区松江中路1号 张三 13800001111',
    { province: '220000', city: '220200', district: '220204' },
    '松江中路1号',
    ME,
  ],
  [
    'the same without the province',
    '吉林市船营区松江中路1号 张三 13800001111',
    { province: '220000', city: '220200', district: '220204' },
    '松江中路1号',
    ME,
  ],
  [
    'an autonomous prefecture, half short',
    '湖北恩施州恩施市施州大道1号 张三 13800001111',
    { province: '420000', city: '422800', district: '422801' },
    '施州大道1号',
    ME,
  ],
  [
    'an autonomous county, half short',
    '湖南怀化芷江县和平路1号 张三 13800001111',
    { province: '430000', city: '431200', district: '431228' },
    '和平路1号',
    ME,
  ],
  [
    'a prefecture of a province’s name',
    '青海海南州共和县青海湖南大街1号 张三 13800001111',
    { province: '630000', city: '632500', district: '632521' },
    '青海湖南大街1号',
    ME,
  ],
  ['a district of which there are several', '朝阳区建国路1号 张三 13800001111', {}, '朝阳区建国路1号', ME],
  [
    'the same behind its city',
    '长春市朝阳区人民大街1号 张三 13800001111',
    { province: '220000', city: '220100', district: '220104' },
    '人民大街1号',
    ME,
  ],
  [
    'several of one name in a province',
    '江苏鼓楼区中山路1号 张三 13800001111',
    { province: '320000' },
    '鼓楼区中山路1号',
    ME,
  ],
  [
    'what looks like a district across two words',
    '山西城区幸福路1号 张三 13800001111',
    { province: '140000' },
    '城区幸福路1号',
    ME,
  ],
  ['收 alone', '张三 收 13800001111 湖南省长沙市开福区德雅路109号', KAIFU, '德雅路109号', ME],
  ['a character that nobody sees', '张三\u200B 13800001111 湖南长沙开福区德雅路109号', KAIFU, '德雅路109号', ME],
  ['a street called as a city', '长沙市开福区北京路1号 张三 13800001111', KAIFU, '北京路1号', ME],
  [
    'a street called as its own district',
    '湖南省长沙市长沙路5号 张三 13800001111',
    { province: '430000', city: '430100' },
    '长沙路5号',
    ME,
  ],
  ['a school as the place', '湖南长沙开福区德雅路 某某大学 张三 13800001111', KAIFU, '德雅路 某某大学', ME],
  ['the country, too', '中国湖南省长沙市开福区德雅路109号 张三 13800001111', KAIFU, '德雅路109号', ME],
  ['no region', '张三 13800001111 中山路5号', {}, '中山路5号', ME],
  ['only a mobile', '13800001111', {}, '', { name: '', mobile: '13800001111' }],
  ['neither name nor mobile', '湖南省长沙市开福区德雅路109号', KAIFU, '德雅路109号', { name: '', mobile: '' }],
  [
    'a longer number is no mobile',
    '订单 213800001111 湖南省长沙市开福区',
    KAIFU,
    '213800001111',
    { name: '订单', mobile: '' },
  ],
  ['nothing', ' ，\n', {}, '', { name: '', mobile: '' }],
])('%s', (_, text, region, detail, who) => {
  expect(readAddress(text, provinces)).toEqual({ ...who, region, detail })
})

test('every province, city and district is read again from its full name', () => {
  const missed = provinces.flatMap((province) =>
    province.cities.flatMap((city) =>
      city.districts.flatMap((district) => {
        const text = `${province.name}${city.name}${district.name}幸福路8号`
        const { region, detail } = readAddress(text, provinces)
        return region.district === district.code && detail === '幸福路8号' ? [] : [text]
      }),
    ),
  )
  expect(missed).toEqual([])
})
