/** The default theme, in the fonts of the reader's system. */
import './style.css';

export { default } from 'vitepress/theme-without-fonts';
