export {
  checkSettings,
  declareSettings,
  InvalidEnvironmentError,
  readDeclaredSettings,
  readSettingFiles,
  type SettingsClass,
  type SettingsOf,
} from './declared-settings.js';
export { declaredSettings, SettingsModule } from './settings.module.js';
