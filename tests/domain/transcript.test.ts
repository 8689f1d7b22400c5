import { describe, expect, test } from 'vitest'
import { markedIn, termsOf } from '#src/domain/text/searchText.ts'
import { findLines, readTranscript, shownSubtitles, transcriptOf } from '#src/domain/course/transcript.ts'

const vtt = (...cues: string[]) =>
  `WEBVTT\n\n${cues.map((cue, i) => `00:0${i}.000 --> 00:0${i + 1}.000\n${cue}`).join('\n\n')}\n`
const words = (...cues: string[]) => readTranscript(vtt(...cues)).map(({ text }) => text)

describe('what a lesson says', () => {
  test.each([
    ['x &lt; 3 &amp;&amp; y &gt; 2', 'x < 3 && y > 2'],
    ['速度&nbsp;10&nbsp;米', '速度 10 米'],
    ['&amp;lt; 是小于号', '&lt; 是小于号'],
    ['<v 王教员><b>动能</b>定理', '动能定理'],
    ['<ruby>军<rt>jun</rt></ruby>考<00:00.500>了', '军jun考了'],
    ['&#20987;&#x7834;&#0;', '击破'],
    ['&#9999999; &wrong;', '&wrong;'],
    ['上一行\n下一行', '上一行 下一行'],
    ['两个  空格', '两个 空格'],
    ['&#x10FFFF;&#x110000;末', '\u{10FFFF}末'],
    ['没有关上 <b', '没有关上'],
  ])('is read as a browser reads it: %s', (cue, text) => expect(words(cue)).toEqual([text]))

  test('comes with its seconds; notes, styles, names and empty cues are none of it', () => {
    const text = [
      '\uFEFFWEBVTT 标题',
      'NOTE 一条说明\n第二行',
      'STYLE\n::cue { color: red }',
      '第一句\n00:01.500 --> 00:02.000 align:start\n甲',
      '01:02:03.250 --> 01:02:04.000\n乙\n丙',
      '00:05.000 --> 00:06.000\n<b></b>',
    ].join('\r\n\r\n')
    expect(readTranscript(text)).toEqual([
      { at: 1.5, text: '甲' },
      { at: 3723.25, text: '乙 丙' },
    ])
  })

  test('is nothing where nothing can be read', () => {
    expect(readTranscript('')).toEqual([])
    expect(readTranscript('<html>502 Bad Gateway</html>')).toEqual([])
  })
})

describe('words are found', () => {
  const found = (text: string, most?: number) =>
    findLines(
      transcriptOf(
        ['先看动能', '定理，它说合外力做的功', '等于动能的变化。', '再看 F = ma', '动能，动能'].map((line, at) => ({
          at,
          text: line,
        })),
      ),
      termsOf(text),
      most,
    ).map(({ line, count }) => [line, count])
  test.each([
    [
      'in each line that says them',
      '动能',
      [
        [0, 1],
        [2, 1],
        [4, 1],
      ],
    ],
    ['at the very beginning', '先看', [[0, 1]]],
    ['across two lines', '动能定理', [[0, 2]]],
    ['both of two in one line', '动能 变化', [[2, 1]]],
    ['one of two in the next line', '合外力 动能', [[1, 2]]],
    ['one of two in the line before', '变化 合外力', [[1, 2]]],
    ['however they are written', 'ｆ＝ＭＡ', [[3, 1]]],
    ['not when they stand further apart', '先看 变化', []],
    ['not when one is missing', '动能 起义', []],
    ['never for nothing', ' ，', []],
  ])('%s', (_, text, lines) => expect(found(text)).toEqual(lines))

  test('no more of them than are wanted', () =>
    expect(found('动能', 2)).toEqual([
      [0, 1],
      [2, 1],
    ]))
  test('in a lesson that says nothing, nowhere', () => expect(findLines(transcriptOf([]), ['动能'])).toEqual([]))
})

test('of several subtitles the Chinese ones are searched and shown, else the first', () => {
  expect(shownSubtitles([{ lang: 'en' }, { lang: 'zh-CN' }])).toEqual({ lang: 'zh-CN' })
  expect(shownSubtitles([{ lang: 'en' }, { lang: 'ja' }])).toEqual({ lang: 'en' })
  expect(shownSubtitles([])).toBeUndefined()
})

test('words are marked where they stand, also one across two lines', () => {
  const marks = markedIn(['先看动能', '定理，它', '动能'], termsOf('动能定理')).map((pieces) =>
    pieces.map(({ text, hit }) => (hit ? `[${text}]` : text)).join(''),
  )
  expect(marks).toEqual(['先看[动能]', '[定理]，它', '动能'])
})
