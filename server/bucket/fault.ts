/** COS' own codes, and three of ours (the last), by which the page knows what to tell the student. */
const STATUS = {
  AccessDenied: 403,
  BadDigest: 400,
  EntityTooLarge: 400,
  ExpiredToken: 403,
  IncompleteBody: 400,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidURI: 400,
  MalformedXML: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  RequestTimeTooSkewed: 403,
  SignatureDoesNotMatch: 403,
  ServiceUnavailable: 503,
  SlowDown: 503,
  InvalidPictureType: 400,
  QuotaExceeded: 403,
  TooMuchToday: 403,
} as const
export type FaultCode = keyof typeof STATUS

/** What the bucket refuses, as COS would say it. */
export class BucketFault extends Error {
  override readonly name = 'BucketFault'
  readonly code: FaultCode
  readonly statusCode: number
  constructor(code: FaultCode, message: string = code) {
    super(message)
    this.code = code
    this.statusCode = STATUS[code]
  }
}
