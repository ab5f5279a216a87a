// Suites of one server and one browser: what people see and do in the console.
import './console-browser/pages.ts'
import './console-browser/keyboard.ts'
import './console-browser/acts.ts'
import './console-browser/forms.ts'
