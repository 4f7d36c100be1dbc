# SPDX-License-Identifier: GPL-3.0-or-later
dist_man_MANS += \
	man/thresh.config.5 \
	man/thresh.zonefile.5 \
	man/thresh-plugin-tcp_connect.8 \
	man/thresh-plugin-http_status.8
