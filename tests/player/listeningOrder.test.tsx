import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { composite, judge, single } from '#tests/support/questions.ts'
import { ListeningWorld } from '#tests/support/listening.tsx'

let world: ListeningWorld
let material: string
let batch: Parameters<ListeningWorld['listen']>
beforeEach(() => {
  world = new ListeningWorld()
  const { no } = world
  material = `材料。${no}m 的题干。`
  batch = ['practice', [composite(`${no}m`, [single(`${no}1`), judge(`${no}2`)]), judge(`${no}z`)]]
})
const spoken = (text: string) => vi.waitFor(() => expect(world.last()).toBe(text), { timeout: 5_000 })
const times = (text: string) => world.voices.said.filter((each) => each === text).length

test('a material is read with the first of its questions that is heard, and not again with the next', async () => {
  localStorage.setItem('jk-listening', '1 0 0')
  const { end, user } = world
  const page = await world.listen(...batch)
  await user.click(page.getByRole('button', { name: '播放' }))
  await spoken('第1题，单选题。')
  end()
  await spoken(material)
  await user.click(page.getByRole('button', { name: '下一题' }))
  await spoken('第2题，判断题。')
  end()
  await spoken(`${world.no}2 的题干。`)
  await user.click(page.getByRole('button', { name: '上一题' }))
  await spoken('第1题，单选题。')
  end()
  await spoken(material)
})

test('begun at a later question of it, the material is read with that one, and with that one once more', async () => {
  const { end, user } = world
  world.open(...batch)
  await user.click(screen.getByRole('button', { name: '下一题' }))
  const page = await world.begin()
  await user.click(page.getByRole('button', { name: '播放' }))
  await spoken('第2题，判断题。')
  end()
  await spoken(material)
  await user.click(page.getByRole('button', { name: '再听一遍' }))
  await spoken('第2题，判断题。')
  end()
  await spoken(material)
  await user.click(page.getByRole('button', { name: '上一题' }))
  await spoken('第1题，单选题。')
  end()
  await spoken(`${world.no}1 的题干。`)
  await user.click(page.getByRole('button', { name: '再听一遍' }))
  end()
  await spoken(`${world.no}1 的题干。`)
  expect(times(material)).toBe(2)
})

test('a material that was passed over before it began is read with the next question', async () => {
  const { end, user } = world
  const page = await world.listen(...batch)
  await user.click(page.getByRole('button', { name: '播放' }))
  await spoken('第1题，单选题。')
  await user.click(page.getByRole('button', { name: '听答案' }))
  await user.click(page.getByRole('button', { name: '下一题' }))
  await spoken('第2题，判断题。')
  end()
  await spoken(material)
})

test('all begun anew, the material is read with its first question, whichever it was read with before', async () => {
  localStorage.setItem('jk-listening', '1 0 0')
  const { end, user } = world
  world.open(...batch)
  await user.click(screen.getByRole('button', { name: '下一题' }))
  const page = await world.begin()
  await user.click(page.getByRole('button', { name: '播放' }))
  await spoken('第2题，判断题。')
  end()
  await spoken(material)
  await user.click(page.getByRole('button', { name: '下一题' }))
  await user.click(page.getByRole('button', { name: '听答案' }))
  await spoken('正确答案，对。')
  end()
  expect(await page.findByText('本组已听完')).toBeTruthy()
  await user.click(page.getByRole('button', { name: '播放' }))
  await spoken('第1题，单选题。')
  end()
  await spoken(material)
})

test('analyses that are switched off while one is read leave it for the next question, and at the last one the end', async () => {
  const { end, user, no } = world
  const page = await world.listen()
  const analyses = page.getByRole('switch', { name: '读完答案接着读解析', hidden: true })
  await user.click(page.getByRole('button', { name: '播放' }))
  await user.click(page.getByRole('button', { name: '听答案' }))
  end()
  await spoken(`解析。${no}a 的解析。`)
  await user.click(analyses)
  await spoken('第2题，单选题。')
  await user.click(analyses)
  await user.click(page.getByRole('button', { name: '听答案' }))
  end(2)
  await spoken(`解析。${no}b 的解析。`)
  await user.click(analyses)
  expect(await page.findByText('本组已听完')).toBeTruthy()
  expect(world.voices.current).toBeNull()
})
