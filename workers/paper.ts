import { drawSheet } from '../src/parts/papers/pdf/draw-sheet.ts'

/** Draws a sheet. It reads fonts and compresses, so it is no rule, but a part of its own thread. */
export default drawSheet
