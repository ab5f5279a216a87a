// preact: the smallest UI library of its kind that is widely used; this is its only import.
export type {
  ComponentChildren as Children,
  JSX,
  TargetedKeyboardEvent as KeyPress,
  TargetedSubmitEvent as Submitted,
} from 'preact'
export { Fragment, render } from 'preact'
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
