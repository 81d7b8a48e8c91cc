export {
  checkSettings,
  declareSettings,
  InvalidEnvironmentError,
  readDeclaredSettings,
  readSettingFiles,
  type SettingsClass,
} from './declared-settings.js';
export { declaredSettings, SettingsModule } from './settings.module.js';
