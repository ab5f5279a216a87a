// Suites of one server: from usage to credits.
import './billing/story.ts'
import './billing/usage.ts'
import './billing/overage.ts'
import './billing/links.ts'
import './billing/races.ts'
