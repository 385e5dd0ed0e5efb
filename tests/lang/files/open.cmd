if 1
  echo in\n
