// Suites of one server: from usage to credits.
import './billing/story.ts'
import './billing/usage.ts'
