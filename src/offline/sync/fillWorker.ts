import { serveFill } from './serveFill.ts'

serveFill(self)
