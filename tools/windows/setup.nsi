; The setup for Windows: one user's own, without an administrator and without a network. Made on
; Linux by setup.sh. After one press, Install, the demo starts and opens the browser.
Target amd64-unicode ; the game needs 64 bits anyway
Unicode true
Name "Xactika for the classroom ${VERSION}"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Xactika"
SetCompressor /FINAL lzma
ShowInstDetails nevershow
ShowUninstDetails show
!define GONE "Software\Microsoft\Windows\CurrentVersion\Uninstall\Xactika"
AutoCloseWindow true
LicenseText "Xactika and its own Python, for you alone. Press Install: then the demo opens in your browser." "Install"
LicenseData "${LICENSE}"
Page license
Page instfiles
UninstPage instfiles

Section
  RMDir /r "$INSTDIR\Lib" ; an older version's
  SetOutPath "$INSTDIR"
  File /r "${PYTHON}\*"
  CreateShortcut "$SMPROGRAMS\Xactika.lnk" "$INSTDIR\Scripts\xactika.exe" "class"
  CreateShortcut "$SMPROGRAMS\Xactika (demo).lnk" "$INSTDIR\Scripts\xactika.exe"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "${GONE}" "DisplayName" "Xactika for the classroom"
  WriteRegStr HKCU "${GONE}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${GONE}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${GONE}" "NoModify" 1
  WriteRegDWORD HKCU "${GONE}" "NoRepair" 1
SectionEnd

Function .onInstSuccess
  IfSilent +2
  ExecShell "" "$SMPROGRAMS\Xactika (demo).lnk"
FunctionEnd

Section Uninstall
  Delete "$SMPROGRAMS\Xactika.lnk"
  Delete "$SMPROGRAMS\Xactika (demo).lnk"
  RMDir /r "$INSTDIR"
  DeleteRegKey HKCU "${GONE}"
  DetailPrint "Your classes are still in $LOCALAPPDATA\xactika"
SectionEnd
