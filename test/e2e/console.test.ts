// Suites of one server: the people of the console, and what they may ask and do.
import './console/logging-in.ts'
import './console/requests.ts'
import './console/every-route.ts'
import './console/acts.ts'
import './console/charging.ts'
import './console/catalog.ts'
import './console/csv.ts'
import './console/overview.ts'
