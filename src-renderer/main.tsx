import './first'
import './trusted-types'
import './mantine.css'
import './global.css'
import { keepShell } from './api/service-worker'
import { startPage } from './start-page'
import { guardDoubleClicks } from './ui/keys/double-clicks'

keepShell()
guardDoubleClicks()
startPage()
