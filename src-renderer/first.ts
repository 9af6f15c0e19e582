import './no-eval'
import { askEarly } from './api/early/early'

askEarly()
