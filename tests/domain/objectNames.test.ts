import { describe, expect, test } from 'vitest'
import { successorsOf } from '#src/domain/app/appParts.ts'
import { unkeptWords, wordsOf } from '#src/domain/app/failureWords.ts'
import { readTranscript } from '#src/domain/course/transcript.ts'
import { formulaSpeech } from '#src/domain/text/formulaSpeech.ts'
import { formulaText } from '#src/domain/text/formulaText.ts'
import { raisedWords, spokenChars } from '#src/domain/text/spokenChars.ts'

/** Every object of JavaScript has these: a table that is a plain object would find them in itself. */
describe.each(['constructor', 'toString', 'valueOf', '__proto__'])('a text that says %s is taken as it is', (name) => {
  const math = (inside: string): string => `<math>${inside}</math>`
  test('in a formula', () => {
    expect(spokenChars(name)).toBe(name)
    expect(raisedWords(name)).toBe(`的${name}次方`)
    expect(formulaSpeech(math(`<msup><mi>x</mi><mi>${name}</mi></msup>`))).toContain(name)
    expect(formulaSpeech(math(`<munder><mi>${name}</mi><mn>1</mn></munder>`))).toContain(name)
    expect(formulaSpeech(math(`<mover><mi>x</mi><mo>${name}</mo></mover>`))).toContain(name)
    expect(formulaText(math(`<mover><mi>x</mi><mo>${name}</mo></mover>`))).toContain(name)
    expect(formulaSpeech(math(`<${name}><mi>x</mi></${name}>`)).trim()).toBe('x')
    expect(formulaText(math(`<${name}><mi>x</mi></${name}>`))).toBe('x')
  })
  test('in what a lesson says', () =>
    expect(readTranscript(`WEBVTT\n\n00:00.000 --> 00:01.000\n甲&${name};乙`)).toEqual([
      { at: 0, text: `甲&${name};乙` },
    ]))
  test('as the class of an error, and as why the device has kept nothing', () => {
    expect(wordsOf({ name, message: '' })).toBe('操作没有完成，请刷新页面后重试')
    expect(unkeptWords({ kind: name })).toBe('本地存储写入失败，请再试一次')
  })
  test('as the name of a file of the app', () =>
    expect(successorsOf([`/assets/${name}-1.js`], ['/assets/lesson-2.js'])).toEqual([]))
})
