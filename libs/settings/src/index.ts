export { misspelledSettings } from './misspelled-settings.js';
export {
  declareSettings,
  InvalidEnvironmentError,
  MAY_BE_QUOTED,
  readSettings,
  type SettingsClass,
} from './settings.js';
export { declaredSettings, SettingsModule } from './settings.module.js';
