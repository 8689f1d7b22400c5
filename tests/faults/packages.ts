import type { Fault } from './fault.ts'

export const packagesFaults: Fault[] = [
  {
    breaks: 'A lower score for the same answer that comes second takes its score away.',
    file: 'server/content/formats/qti12.ts',
    from: 'own.set(value, Math.max(score, own.get(value) ?? 0))',
    to: 'own.set(value, score)',
    red: ['tests/content/qti.test.ts > of its own'],
  },
  {
    breaks: 'The last sum of a condition counts, not the highest.',
    file: 'server/content/formats/qti12.ts',
    from: String.raw`Math.max(0, ...within(condition, 'setvar').map(givenBy))`,
    to: String.raw`Math.max(0, ...within(condition, 'setvar').slice(-1).map(givenBy))`,
    red: ['tests/content/qti.test.ts > a second sum of the same condition'],
  },
  {
    breaks: 'An option that costs marks is imported as the right one.',
    file: 'server/content/formats/qti12.ts',
    from: "return /^subtract$/i.test(setvar.attributes['action'] ?? '') ? -score : score",
    to: 'return score',
    red: ['tests/content/qti.test.ts > an option that costs marks'],
  },
  {
    breaks: 'A matching question with an empty left side is refused whole.',
    file: 'server/content/formats/qti12.ts',
    from: String.raw`if (name === '' && type === 'matching_question') continue`,
    to: '',
    red: [
      'tests/content/qti.test.ts > that matches becomes a choice for each left side; one that nobody wrote is left out',
    ],
  },
  {
    breaks: 'An order of QTI 1.2 is read as its answers are written, not by the places they are asked at.',
    file: 'server/content/formats/qti12.ts',
    from: 'all.toSorted((a, b) => a.index - b.index)',
    to: 'all',
    red: ['tests/content/qti.test.ts > that asks for an order is a 排序题 in the order that earns most'],
  },
  {
    breaks: 'Pictures of a Canvas package are lost for the name of their folder.',
    file: 'server/content/formats/qti12.ts',
    from: ".replaceAll(/(\\$|%24)IMS[-_]CC[-_]FILE_?BASE\\1\\/?/g, '')",
    to: '',
    red: [
      'tests/content/qti.test.ts > finds the pictures of its package by the name that its system writes for the folder',
    ],
  },
  {
    breaks: 'A question of several gaps loses the text that it belongs to.',
    file: 'server/content/formats/qti.ts',
    from: String.raw`stem: [of?.stem, draft.stem].filter(Boolean).join('\n')`,
    to: 'stem: draft.stem',
    red: ['tests/content/qti.test.ts > of several gaps on a text of its own says that text first'],
  },
  {
    breaks: 'Of weighed answers every one that earns a whole mark is right.',
    file: 'server/content/formats/qti2.ts',
    from: '(value / most) * 100',
    to: 'value * 100',
    red: [
      'tests/content/qti.test.ts > of one choice whose answers are weighed is right where it earns the most, whatever the marks are',
    ],
  },
  {
    breaks: 'A choice of one becomes a 不定项 because its response is a list.',
    file: 'server/content/formats/qti2.ts',
    from: String.raw`return many && asked.attributes['maxchoices'] !== '1' ?`,
    to: 'return many ?',
    red: ['tests/content/qti.test.ts > that takes one choice is a 单选题, though its answers are kept as a list'],
  },
  {
    breaks: 'An adaptive item is imported as if it had one step.',
    file: 'server/content/formats/qti2.ts',
    from: String.raw`if (item.attributes['adaptive'] === 'true') throw new NotHeld('自适应题（adaptive）分步作答，请改成材料题')`,
    to: '',
    red: ['tests/content/qti.test.ts > is refused and says why'],
  },
  {
    breaks: 'An item whose numbers are drawn is imported without its numbers.',
    file: 'server/content/formats/qti2.ts',
    from: String.raw`elements(item, 'templatedeclaration').length > 0`,
    to: String.raw`elements(item, 'templateDeclaration').length > 0`,
    red: ['tests/content/qti.test.ts > is refused and says why'],
  },
  {
    breaks: 'A spelling that earns half of the marks is accepted as right.',
    file: 'server/content/formats/qti2.ts',
    from: 'earned.set(key, share)',
    to: 'earned.set(key, 100)',
    red: ['tests/content/qti.test.ts > accepts no spelling that earns a part of the marks'],
  },
  {
    breaks: 'Feedback shown for an option is lost.',
    file: 'server/content/formats/qti2.ts',
    from: String.raw`for (const each of elements(item, 'modalfeedback'))`,
    to: String.raw`for (const each of elements(item, 'modalFeedback'))`,
    red: ['tests/content/qti.test.ts > gives an option the feedback that is shown for it'],
  },
  {
    breaks: 'A picture called 100%.gif ends the whole import with an error.',
    file: 'server/content/formats/qti2.ts',
    from: 'path.posix.join(folder, src)',
    to: 'path.posix.join(folder, decodeURI(src))',
    red: [
      'tests/content/qti.test.ts > with a picture whose name looks like half an address is read, and the picture is found',
    ],
  },
  {
    breaks: 'A package in GB2312 comes in as garbage.',
    file: 'server/content/formats/qtiPackage.ts',
    from: String.raw`data[0] === 0xff || data[0] === 0xfe ? 'utf-16' : named`,
    to: String.raw`data[0] === 0xff || data[0] === 0xfe ? 'utf-16' : 'utf-8'`,
    red: ['tests/content/qti.test.ts > is read in the encoding that each of its files names'],
  },
  {
    breaks: 'A picture whose name an address writes with %20 is not found.',
    file: 'server/content/media/picture.ts',
    from: 'ending && (read(source) ?? read(decodedName(source)))',
    to: 'ending && read(source)',
    red: ['tests/content/import.test.ts > are found by a name that is written as an address'],
  },
  {
    breaks: 'Of two pictures with one name in two folders one is shown twice.',
    file: 'server/content/formats/moodle.ts',
    from: 'names.set(path + name, keep',
    to: 'names.set(`/${name}`, keep',
    red: ['tests/content/moodle.test.ts > tells pictures of one name in different folders apart'],
  },
  {
    breaks: 'What an author wrote for right and wrong answers is lost.',
    file: 'server/content/formats/moodle.ts',
    from: String.raw`['generalfeedback', 'correctfeedback', 'incorrectfeedback']`,
    to: String.raw`['generalfeedback']`,
    red: [
      'tests/content/moodle.test.ts > explains itself by all that its author wrote for whoever has answered, each thing once',
    ],
  },
  {
    breaks: 'A <b> that a plain text speaks of becomes bold.',
    file: 'server/content/formats/moodle.ts',
    from: String.raw`return format === 'plain_text' ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text`,
    to: 'return text',
    red: ['tests/content/moodle.test.ts > in plain text shows the signs that its author typed'],
  },
  {
    breaks: 'A gap whose answer holds a brace is not read.',
    file: 'server/content/formats/cloze.ts',
    from: String.raw`((?:\\.|[^}\\])*)\}/g`,
    to: String.raw`([^}]*)\}/g`,
    red: [
      'tests/content/moodle.test.ts > with gaps of every way to write and to choose, whose words may hold the signs of the format',
    ],
  },
  {
    breaks: 'A gap of several choices stays as its source.',
    file: 'server/content/formats/cloze.ts',
    from: '(MULTICHOICE|MC|MULTIRESPONSE|MR)',
    to: '(MULTICHOICE|MC)',
    red: [
      'tests/content/moodle.test.ts > with gaps of every way to write and to choose, whose words may hold the signs of the format',
    ],
  },
  {
    breaks: 'Of a range 90..110 the text itself is the only answer.',
    file: 'server/content/formats/gift.ts',
    from: 'refused: refusedFor(range)',
    to: 'refused: undefined',
    red: [
      'tests/content/import.test.ts > a range of numbers is refused, because a 填空题 would mark most of it wrong',
    ],
  },
  {
    breaks: 'Numbers that count within a GIFT file become numbers of the whole bank.',
    file: 'server/content/formats/gift.ts',
    from: 'no: id && isOfSystem(id) ? id : undefined',
    to: 'no: id ?? undefined',
    red: [
      'tests/content/import.test.ts > a comment before a question gives it tags, and a number unless that only counts within the file',
    ],
  },
  {
    breaks: 'Tags of a GIFT question are lost.',
    file: 'server/content/formats/gift.ts',
    from: 'points: tags && tags.length > 0 ? [...new Set(tags)] : undefined',
    to: 'points: undefined',
    red: [
      'tests/content/import.test.ts > a comment before a question gives it tags, and a number unless that only counts within the file',
    ],
  },
]
