import { areaList } from '@vant/area-data'
import { describe, expect, test } from 'vitest'
import { readRegions, regionAt, regionName, regionText } from '#src/domain/address/regions.ts'

const provinces = readRegions(regionText(areaList))

test('31 provinces, every code six digits, once, and below the one before it', () => {
  const cities = provinces.flatMap((province) => province.cities)
  const districts = cities.flatMap((city) => city.districts)
  expect(provinces).toHaveLength(31)
  expect(cities.length).toBeGreaterThan(330)
  expect(districts.length).toBeGreaterThan(2_800)
  const codes = [...provinces, ...cities, ...districts].map(({ code }) => code)
  expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([])
  expect(new Set(codes).size).toBe(codes.length)
  expect(
    provinces.flatMap(({ code, cities: own }) => own.filter((city) => city.code.slice(0, 2) !== code.slice(0, 2))),
  ).toEqual([])
})

test('cities without districts, and no others, have none', () => {
  const bare = provinces.flatMap(({ cities }) => cities.filter(({ districts }) => districts.length === 0))
  expect(bare.map(({ name }) => name)).toEqual(['东莞市', '中山市', '儋州市', '嘉峪关市'])
})

describe('codes that belong together', () => {
  test.each([
    ['a district', { province: '430000', city: '430100', district: '430105' }, '湖南省长沙市开福区'],
    ['a municipality, said once', { province: '110000', city: '110100', district: '110108' }, '北京市海淀区'],
    ['a county of Chongqing', { province: '500000', city: '500100', district: '500229' }, '重庆市城口县'],
    ['a city that its province governs', { province: '420000', city: '429000', district: '429004' }, '湖北省仙桃市'],
    ['a city without districts', { province: '440000', city: '441900' }, '广东省东莞市'],
  ])('%s', (_, codes, name) => {
    const region = regionAt(provinces, codes)
    expect(region && regionName(region)).toBe(name)
  })

  test.each([
    ['a city of another province', { province: '440000', city: '430100', district: '430105' }],
    ['a district of another city', { province: '430000', city: '430100', district: '440305' }],
    ['no district where there are some', { province: '430000', city: '430100' }],
    ['a district where there are none', { province: '440000', city: '441900', district: '441901' }],
    ['a code that never was', { province: '430000', city: '430100', district: '430199' }],
    ['a province that we do not send to', { province: '710000', city: '710100', district: '710101' }],
    ['a district for a city', { province: '430000', city: '430105', district: '430105' }],
  ])('not %s', (_, codes) => expect(regionAt(provinces, codes)).toBeNull())
})
