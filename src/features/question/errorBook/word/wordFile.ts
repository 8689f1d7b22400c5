import { AlignmentType, Document, Footer, PageNumber, Packer, Paragraph, TextRun } from 'docx'
import { htmlToContent } from 'docx/html'
import { picturesOf } from './pictures.ts'

/** Millimetres in twentieths of a point. */
const mm = (length: number): number => Math.round((length / 25.4) * 1440)
/** 五号, in half points: papers are set in it. */
const SIZE = 21
const FONT = { ascii: 'Times New Roman', hAnsi: 'Times New Roman', eastAsia: '宋体' }
/** The width of the text, CSS px. */
const WIDEST_PICTURE = 620
const NO_PICTURE = '（图片没有取到，请在应用里查看）'

/** Makes a `.docx` of a page of HTML, on A4, with the numbers of its pages. Formulae are Word's own, and can be edited there. */
export async function wordFile(html: string): Promise<Blob> {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const pictures = await picturesOf(page)
  for (const image of page.querySelectorAll('img'))
    if (!pictures.has(image.getAttribute('src') ?? '')) image.replaceWith(NO_PICTURE)
  const children = htmlToContent(page.body.innerHTML, {
    images: (source) => pictures.get(source),
    maxImageWidth: WIDEST_PICTURE,
  })
  const number = new TextRun({ children: [PageNumber.CURRENT, ' / ', PageNumber.TOTAL_PAGES] })
  const document = new Document({
    styles: { default: { document: { run: { size: SIZE, font: FONT } } } },
    sections: [
      {
        properties: {
          page: {
            size: { width: mm(210), height: mm(297) },
            margin: { top: mm(16), bottom: mm(16), left: mm(20), right: mm(20) },
          },
        },
        footers: {
          default: new Footer({ children: [new Paragraph({ alignment: AlignmentType.CENTER, children: [number] })] }),
        },
        children,
      },
    ],
  })
  return Packer.toBlob(document)
}
